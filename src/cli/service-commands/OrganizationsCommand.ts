import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Organization } from "../../domain/Organization.ts"
import { MonthOfUse } from "../../domain/Usage.ts"
import { defined } from "../../support/Defined.ts"
import { fail } from "../CommandFailed.ts"
import { textTable } from "../Terminal.ts"
import { organizationFlag, organizationOf, organizations } from "./OrganizationOf.ts"
import { readSecret } from "./ReadSecret.ts"
import { administer } from "./ServiceAccess.ts"

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

const rowOf = ({ credits, id, name, plan }: Organization) => [
  id,
  name,
  plan,
  String(credits.balance),
  String(credits.reserved)
]

const printed = (all: ReadonlyArray<Organization>) =>
  Console.log(textTable([["id", "name", "plan", "credits", "reserved"], ...all.map(rowOf)]).join("\n"))

const list = Command.make("list", { json }, (input) =>
  Effect.flatMap(organizations, (all) => (input.json ? Console.log(JSON.stringify(all)) : printed(all)))
).pipe(Command.withDescription("List organizations"))

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the organization")),
    plan: Flag.Literals("plan", ["free", "pro", "enterprise"]).pipe(
      Flag.withDescription("Plan. Default: free"),
      Flag.withDefault("free")
    ),
    credits: Flag.Finite("credits").pipe(Flag.withDescription("Initial credits"), Flag.optional)
  },
  ({ credits, name, plan }) =>
    Effect.flatMap(
      administer("POST", "/organizations", Organization, {
        name,
        plan,
        ...Option.match(credits, { onNone: () => ({}), onSome: (amount) => ({ credits: amount }) })
      }),
      (made) => printed([made])
    )
).pipe(Command.withDescription("Create an organization"))

const credits = Command.make(
  "credits",
  {
    organization: Argument.String("organization").pipe(Argument.withDescription("Id or name")),
    amount: Argument.Finite("amount").pipe(
      Argument.withDescription("Credits to grant; negative to take back")
    ),
    reason: Flag.String("reason").pipe(
      Flag.withDescription("Reason, for the ledger"),
      Flag.withDefault("granted on the command line")
    )
  },
  Effect.fnUntraced(function* ({ amount, organization, reason }) {
    const { id } = yield* organizationOf(Option.some(organization))
    yield* printed([
      yield* administer("POST", `/organizations/${id}/credits`, Organization, { amount, reason })
    ])
  })
).pipe(Command.withDescription("Grant credits"))

const documentExport = Command.make(
  "export",
  {
    organization: Argument.String("organization").pipe(Argument.withDescription("Id or name")),
    allowed: Argument.Literals("allowed", ["on", "off"]).pipe(
      Argument.withDescription("Whether test cases from corrections contain the document")
    )
  },
  Effect.fnUntraced(function* ({ allowed, organization }) {
    const { id, name } = yield* organizationOf(Option.some(organization))
    const body = { allowed: allowed === "on" }
    yield* administer("PUT", `/organizations/${id}/document-export`, Organization, body)
    yield* Console.log(
      `Test cases of ${name} ${allowed === "on" ? "now contain" : "no longer contain"} the document`
    )
  })
).pipe(Command.withDescription("Allow or forbid test cases with the document in them"))

const models = Command.make(
  "models",
  {
    organization: Argument.String("organization").pipe(Argument.withDescription("Id or name")),
    tokens: Flag.String("tokens-per-month").pipe(
      Flag.withDescription("Budget of tokens for a calendar month; none removes it"),
      Flag.optional
    ),
    key: Flag.String("key").pipe(
      Flag.withDescription("Provider whose key to set; the key is typed, or read from standard input"),
      Flag.optional
    ),
    remove: Flag.String("remove-key").pipe(
      Flag.withDescription("Provider whose key to remove"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ key, organization, remove, tokens }) {
    const tokensPerMonth = Option.map(tokens, (text) => (text === "none" ? null : Number(text)))
    if (Option.isSome(tokensPerMonth) && Number.isNaN(tokensPerMonth.value))
      return yield* fail("--tokens-per-month must be a number of tokens, or none")
    const found = yield* organizationOf(Option.some(organization))
    const keys = {
      ...(Option.isSome(remove) ? { [remove.value]: null } : {}),
      ...(Option.isSome(key) ? { [key.value]: yield* readSecret("Key") } : {})
    }
    const body = {
      ...(Object.keys(keys).length > 0 ? { keys } : {}),
      ...defined({ tokensPerMonth: Option.getOrUndefined(tokensPerMonth) })
    }
    const { models: now } = yield* Object.keys(body).length === 0
      ? Effect.succeed(found)
      : administer("PUT", `/organizations/${found.id}/models`, Organization, body)
    yield* Console.log(
      `Tokens: ${now.tokensThisMonth} of ${now.tokensPerMonth ?? "any number"} this month. ` +
        `Own keys: ${now.keys.join(", ") || "none"}`
    )
  })
).pipe(Command.withDescription("Show or change the budget of tokens and own keys at providers of models"))

const Used = Schema.Struct({ usage: Schema.Array(MonthOfUse) })
const measures = [
  "name",
  "environment",
  "flowId",
  "model",
  "executions",
  "pages",
  "credits",
  "inputTokens",
  "outputTokens",
  "organizationId"
] as const

const usage = Command.make(
  "usage",
  {
    month: Argument.String("month").pipe(Argument.withDescription("Month in UTC, such as 2026-11")),
    organization: organizationFlag.pipe(Flag.withDescription("Id or name of the organization. Default: all")),
    format: Flag.Literals("format", ["text", "csv", "json"]).pipe(
      Flag.withDescription("Format. Default: text"),
      Flag.withDefault("text")
    )
  },
  Effect.fnUntraced(function* ({ format, month, organization }) {
    const only = Option.isSome(organization)
      ? `&organizationId=${(yield* organizationOf(organization)).id}`
      : ""
    const path = `/usage?month=${encodeURIComponent(month)}${only}`
    const found = (yield* administer("GET", path, Used)).usage
    if (format === "json") return yield* Console.log(JSON.stringify(found))
    const rows = [measures, ...found.map((use) => measures.map((measure) => String(use[measure])))]
    yield* Console.log(format === "csv" ? rows.map(csvLine).join("\n") : textTable(rows).join("\n"))
  })
).pipe(Command.withDescription("Print what was used in a month, by flow and model"))

/** As RFC 4180 says. A spreadsheet would run a text that begins like a formula. */
const csvLine = (cells: ReadonlyArray<string>) =>
  cells
    .map((cell) => (/^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join()

/** `docflow organizations`: the organizations of a running service; needs the admin token. */
export const organizationsCommand = Command.make("organizations").pipe(
  Command.withDescription(
    "List and create organizations of a running service (DOCFLOW_URL), with the admin token"
  ),
  Command.withShortDescription("List and create organizations of a service"),
  Command.withSubcommands([list, create, credits, documentExport, models, usage])
)
