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

/** The first 100 organizations. */
export const organizations = Effect.map(
  administer("GET", "/organizations?limit=100", Listed),
  (listed) => listed.organizations
)

/** The organization that a flag names, or the only one. */
export const organizationOf = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const all = yield* organizations
  const wanted = Option.getOrUndefined(named)
  const matching = all.filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  const names = all.map(({ name }) => name)
  const near = wanted === undefined ? undefined : nearest(wanted, names)
  const advice = near === undefined ? `Organizations: ${names.join(", ")}` : `Did you mean "${near}"?`
  if (wanted === undefined) return yield* fail(`Name one with --organization. ${advice}`)
  return yield* fail(
    only === undefined
      ? `Unknown organization "${wanted}". ${advice}`
      : `Several organizations are called "${wanted}". Use the id of one of them`
  )
})
