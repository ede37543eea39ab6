import { Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { nearest } from "../../../dsl/source/Nearest.ts"
import { Organization } from "../../domain/Organization.ts"
import { fail } from "../CommandFailed.ts"
import { administer } from "./ServiceAccess.ts"

const Listed = Schema.Struct({ organizations: Schema.Array(Organization), total: Schema.Int })

/** The flag that names an organization. */
export const organizationFlag = Flag.String("organization").pipe(
  Flag.withDescription("Id or name of the organization. Default: the only one"),
  Flag.optional
)

/** All organizations, newest first. */
export const organizations = Effect.gen(function* () {
  const all: Array<Organization> = []
  let total = 1
  while (all.length < total) {
    const page = yield* administer("GET", `/organizations?limit=100&offset=${all.length}`, Listed)
    all.push(...page.organizations)
    total = page.organizations.length === 0 ? 0 : page.total
  }
  return all
})

/** The maximum number of names in a message. */
const mostNames = 20

/** The organization that a flag names, or the only one. */
export const organizationOf = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const wanted = Option.getOrUndefined(named)
  if (wanted?.startsWith("org_") === true)
    return yield* administer("GET", `/organizations/${encodeURIComponent(wanted)}`, Organization)
  const all = yield* organizations
  const matching = all.filter(({ name }) => wanted === undefined || name === wanted)
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  const names = all.map(({ name }) => name)
  const near = wanted === undefined ? undefined : nearest(wanted, names)
  const advice =
    near === undefined ? `Organizations: ${names.slice(0, mostNames).join(", ")}` : `Did you mean "${near}"?`
  if (wanted === undefined) return yield* fail(`Name one with --organization. ${advice}`)
  return yield* fail(
    only === undefined
      ? `Unknown organization "${wanted}". ${advice}`
      : `Several organizations are called "${wanted}". Use the id of one of them`
  )
})
