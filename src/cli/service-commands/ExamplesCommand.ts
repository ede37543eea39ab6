import { Console, Effect, FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ExampleList } from "../../api/ExampleEndpoints.ts"
import { type ExampleSummary, ExportedExample } from "../../domain/ExampleSummary.ts"
import { fail } from "../CommandFailed.ts"
import { missingFile } from "../MissingFile.ts"
import { textTable } from "../Terminal.ts"
import { organizationFlag, organizationOf } from "./OrganizationOf.ts"
import { administer } from "./ServiceAccess.ts"

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
const perRequest = 50

const rowOf = ({ createdAt, enabled, fields, filename, flowId, id, uses }: ExampleSummary) => [
  id,
  flowId,
  filename ?? "–",
  `${fields.length}`,
  `${uses}`,
  enabled ? "on" : "off",
  createdAt
]

const list = Command.make(
  "list",
  { organization: organizationFlag, json },
  Effect.fnUntraced(function* (input) {
    const { id } = yield* organizationOf(input.organization)
    const { examples, total } = yield* administer(
      "GET",
      `/organizations/${id}/examples?limit=100`,
      ExampleList
    )
    if (input.json) return yield* Console.log(JSON.stringify(examples))
    if (total === 0)
      return yield* Console.log("No examples yet: correct or accept the fields of an execution to teach one")
    const header = ["id", "flow", "file", "fields", "uses", "state", "learned"]
    yield* Console.log(textTable([header, ...examples.map(rowOf)]).join("\n"))
    if (total > examples.length) yield* Console.log(`${examples.length} of ${total}`)
  })
).pipe(Command.withDescription("List the examples of an organization, newest first"))

const forget = Command.make(
  "forget",
  {
    organization: organizationFlag,
    like: Flag.String("like").pipe(
      Flag.withDescription("Id of an example: forget what was learned of its supplier only"),
      Flag.optional
    ),
    by: Flag.String("by").pipe(
      Flag.withDescription("Forget what this person or key taught only, such as `key key_01`"),
      Flag.optional
    ),
    all: Flag.Boolean("all").pipe(Flag.withDescription("Forget everything"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* ({ all, by, like, organization }) {
    const chosen = {
      ...(Option.isSome(like) && { like: like.value }),
      ...(Option.isSome(by) && { by: by.value })
    }
    if (!all && Object.keys(chosen).length === 0) return yield* fail("Give --like, --by or --all")
    const { id } = yield* organizationOf(organization)
    const path = `/organizations/${id}/examples?${new URLSearchParams(chosen).toString()}`
    const { forgotten } = yield* administer("DELETE", path, Schema.Struct({ forgotten: Schema.Int }))
    yield* Console.log(`Forgot what ${forgotten} examples taught`)
  })
).pipe(Command.withDescription("Forget what was learned of a supplier, from a person, or everything"))

const Exported = Schema.Struct({ examples: Schema.Array(ExportedExample), total: Schema.Int })

const exportCommand = Command.make(
  "export",
  { organization: organizationFlag },
  Effect.fnUntraced(function* (input) {
    const { id } = yield* organizationOf(input.organization)
    const examples: Array<ExportedExample> = []
    for (;;) {
      const query = `limit=${perRequest}&offset=${examples.length}`
      const part = yield* administer("GET", `/organizations/${id}/examples/export?${query}`, Exported)
      examples.push(...part.examples)
      if (part.examples.length === 0 || examples.length >= part.total) break
    }
    yield* Console.log(JSON.stringify({ examples }, undefined, 2))
    yield* Console.error(
      `${examples.length} examples. They contain values of the documents that taught them.`
    )
  })
).pipe(
  Command.withDescription("Print the examples of an organization as JSON, for `docflow examples import`")
)

const ExampleFile = Schema.fromJsonString(Schema.Struct({ examples: Schema.Array(ExportedExample) }))

const importCommand = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("File that `docflow examples export` printed")
    ),
    organization: organizationFlag
  },
  Effect.fnUntraced(function* ({ file, organization }) {
    const fs = yield* FileSystem.FileSystem
    const text = yield* Effect.catch(fs.readFileString(file), (error) => missingFile(file, error))
    const { examples } = yield* Effect.catch(Schema.decodeUnknownEffect(ExampleFile)(text), ({ message }) =>
      fail(`${file} is not a file of examples: ${message}`)
    )
    const { id, name } = yield* organizationOf(organization)
    let imported = 0
    for (let from = 0; from < examples.length; from += perRequest) {
      const part = { examples: examples.slice(from, from + perRequest) }
      const answer = Schema.Struct({ imported: Schema.Int })
      imported += (yield* administer("POST", `/organizations/${id}/examples/import`, answer, part)).imported
    }
    const known = examples.length - imported
    yield* Console.log(
      `Imported ${imported} examples into ${name}${known === 0 ? "" : `; ${known} were there`}`
    )
  })
).pipe(Command.withDescription("Import examples into an organization; existing ones are skipped"))

/** `docflow examples`: the examples that a running service learned from corrections; needs the admin token. */
export const examplesCommand = Command.make("examples").pipe(
  Command.withDescription(
    "List, export and import what corrections taught a running service (DOCFLOW_URL), with the admin token"
  ),
  Command.withShortDescription(
    "List, export and import the examples that a service learned from corrections"
  ),
  Command.withSubcommands([list, forget, exportCommand, importCommand])
)
