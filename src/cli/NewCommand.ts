import { Config, Console, Effect, FileSystem, Path, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { FlowId } from "../../dsl/model/Words.ts"
import { proposeFlow } from "../services/proposals/ProposeFlow.ts"
import { cannotWrite } from "../domain/FileProblem.ts"
import { fail } from "./CommandFailed.ts"
import { missingFile } from "./MissingFile.ts"
import { expandPaths } from "./run-command/ExpandPaths.ts"
import { showProgress, textTable } from "./Terminal.ts"

/** The beginning of every template: a flow that reads its document. */
const beginning = (id: string, formats = "application/pdf, image/png, image/jpeg"): string => `docflow: 1
id: ${id}
version: 1.0.0
name: ${id}
document:
  formats: [${formats}]

steps:
  - id: read
    uses: parse
    with:
      document: \${{ input.document }}
`

/** The templates of `docflow new flow`, by name: functions from an id to the text of a flow. */
const templates = {
  extract: (id: string): string => `${beginning(id)}
  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      using: [examples, rules]
      fields:
        # A field is found by the labels that are printed next to its value.
        number: { type: identifier, labels: [Number, No] }
        date: { type: date, labels: [Date] }
        total: { type: money, labels: [Total] }

output:
  value:
    number: \${{ steps.fields.values.number }}
    date: \${{ steps.fields.values.date }}
    total: \${{ steps.fields.values.total }}
`,
  text: (id: string): string => `${beginning(id, "application/pdf, image/png, image/jpeg, text/plain")}
output:
  value:
    text: \${{ steps.read.text }}
    pages: \${{ steps.read.pageCount }}
`,
  model: (id: string): string => `${beginning(id)}
  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      # Rules first; the model of DOCFLOW_LLM is asked for what they leave open.
      using: [examples, rules, llm]
      fields:
        subject: { type: string, description: What the document is about in one sentence. }
        date: { type: date, labels: [Date] }

output:
  value:
    subject: \${{ steps.fields.values.subject }}
    date: \${{ steps.fields.values.date }}
`
} as const satisfies Readonly<Record<string, (id: string) => string>>

/**
 * The folder of the user's flows: the one from the settings, or `./flows`, even where docflow's own are read otherwise.
 */
const ownFlowsFolder = Effect.orDie(Config.String("DOCFLOW_FLOWS_DIR").pipe(Config.withDefault("flows")))

const id = Argument.String("id").pipe(Argument.withDescription("Id of the new flow, such as delivery-note"))
const from = Flag.String("from").pipe(
  Flag.withDescription(
    "An example document, a folder or a pattern; may be repeated. The flow gets the fields that at least half of the examples have"
  ),
  Flag.between(0, 100)
)
/** A shell replaces `--from *.pdf` by all names, of which the flag takes the first. */
const more = Argument.String("example").pipe(
  Argument.withDescription("More example documents, as in --from *.pdf"),
  Argument.variadic()
)
const template = Flag.Literals("template", ["extract", "text", "model"]).pipe(
  Flag.withDescription("Template of the flow without examples. Default: extract"),
  Flag.withDefault("extract")
)

const isFlowId = Schema.is(FlowId)

const fromExamples = Effect.fnUntraced(function* (flowId: string, given: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const files = yield* expandPaths(given)
  if (files.length > 50) return yield* fail(`${files.length} examples are too many: 50 are enough`)
  const examples = yield* Effect.forEach(files, (file) =>
    Effect.map(
      Effect.catch(fs.readFile(file), (error) => missingFile(file, error)),
      (bytes) => ({ bytes, filename: path.basename(file) })
    )
  )
  const progress = showProgress(false)
  const proposal = yield* proposeFlow(flowId, flowId, examples, (what, done) =>
    progress.show(`${what} ${done} of ${examples.length} documents`)
  ).pipe(
    Effect.catch(({ message }) => fail(message)),
    Effect.ensuring(Effect.sync(progress.clear))
  )
  const rows = proposal.fields.map(({ example, foundIn, labels, name, preset, type }) => [
    name,
    preset ?? type ?? "",
    labels?.join(", ") ?? "",
    `${foundIn} of ${files.length}`,
    example.replace(/\s+/gu, " ").slice(0, 40)
  ])
  yield* Console.log(textTable([["field", "type", "labels", "found in", "example"], ...rows]).join("\n"))
  yield* Console.log("")
  return { text: proposal.text, example: files[0] ?? "<document>" }
})

const newFlow = Command.make("flow", { id, from, template, more }, (input) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (!isFlowId(input.id))
      return yield* fail(
        `"${input.id}" is not a valid id. Use lower-case words joined with "-", such as delivery-note`
      )
    if (input.more.length > 0 && input.from.length === 0)
      return yield* fail(`Write --from before the example documents: --from ${input.more.join(" ")}`)
    const folder = path.join(yield* ownFlowsFolder, input.id)
    const file = path.join(folder, "1.0.0.yaml")
    if (yield* fs.exists(folder))
      return yield* fail(`${folder} exists. Choose another id, or add a version to this flow`)
    const made =
      input.from.length > 0
        ? yield* fromExamples(input.id, [...input.from, ...input.more])
        : { text: templates[input.template](input.id), example: "<document>" }
    yield* Effect.catch(
      Effect.andThen(fs.makeDirectory(folder, { recursive: true }), fs.writeFileString(file, made.text)),
      (error) => fail(cannotWrite(file, error))
    )
    yield* Console.log(
      `Wrote ${file}. Next:\n  docflow check ${file}\n  docflow run ${input.id} ${made.example}`
    )
  })
).pipe(Command.withDescription("Write a new flow, from a template or from example documents"))

/** `docflow new flow`. */
export const newCommand = Command.make("new").pipe(
  Command.withDescription("Write new files: a flow"),
  Command.withSubcommands([newFlow])
)
