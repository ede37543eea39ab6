import { Predicate } from "effect"
import type { ConfigProblem } from "../../dsl/model/StepKind.ts"

/** Refuses an array or object of `with` that is written empty, so that the step can find nothing. */
export const refuseEmpty =
  (name: string, message: string) =>
  (config: unknown): ReadonlyArray<ConfigProblem> => {
    const value = Predicate.hasProperty(config, name) ? config[name] : undefined
    return Predicate.isObjectOrArray(value) && Object.keys(value).length === 0
      ? [{ path: [name], message }]
      : []
  }

/** Refuses classes without a class. */
export const refuseNoClass = refuseEmpty(
  "classes",
  "At least one class is required, such as invoice: { keywords: [invoice] }."
)
