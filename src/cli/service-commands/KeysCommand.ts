import { Console, Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { NewApiKey } from "../../api/AdminApi.ts"
import { allScopes, ApiKey } from "../../domain/ApiKey.ts"
import { textTable } from "../Terminal.ts"
import { organizationFlag, organizationOf } from "./OrganizationOf.ts"
import { administer } from "./ServiceAccess.ts"

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

const rowOf = ({ environment, id, lastFour, lastUsedAt, name, scopes }: ApiKey) => [
  id,
  name,
  environment,
  `…${lastFour}`,
  scopes.join(" "),
  lastUsedAt ?? "never"
]

const list = Command.make("list", { organization: organizationFlag, json }, (input) =>
  Effect.gen(function* () {
    const { id } = yield* organizationOf(input.organization)
    const { keys } = yield* administer(
      "GET",
      `/organizations/${id}/keys`,
      Schema.Struct({ keys: Schema.Array(ApiKey) })
    )
    if (input.json) return yield* Console.log(JSON.stringify(keys))
    const header = ["id", "name", "environment", "key", "scopes", "last used"]
    yield* Console.log(textTable([header, ...keys.map(rowOf)]).join("\n"))
  })
).pipe(Command.withDescription("List the keys of an organization"))

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Purpose of the key")),
    organization: organizationFlag,
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("Environment. Default: live"),
      Flag.withDefault("live")
    ),
    scope: Flag.Literals("scope", [...allScopes]).pipe(
      Flag.withDescription("A scope; may be repeated. Default: all"),
      Flag.between(0, allScopes.length)
    )
  },
  Effect.fnUntraced(function* ({ environment, name, organization, scope }) {
    const { id } = yield* organizationOf(organization)
    const scopes = scope.length === 0 ? allScopes : scope
    const made = yield* administer("POST", `/organizations/${id}/keys`, NewApiKey, {
      name,
      environment,
      scopes
    })
    yield* Console.error(`The key ${made.id}, shown only now:`)
    yield* Console.log(made.key)
  })
).pipe(Command.withDescription("Create a key and print it"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the key")) },
  ({ id }) =>
    Effect.flatMap(administer("DELETE", `/keys/${encodeURIComponent(id)}`, ApiKey), ({ name }) =>
      Console.log(`Revoked ${id} (${name})`)
    )
).pipe(Command.withDescription("Revoke a key"))

/** `docflow keys`: the API keys of a running service; needs the admin token. */
export const keysCommand = Command.make("keys").pipe(
  Command.withDescription(
    "List, create and revoke API keys of a running service (DOCFLOW_URL), with the admin token"
  ),
  Command.withShortDescription("List, create and revoke API keys of a service"),
  Command.withSubcommands([list, create, revoke])
)
