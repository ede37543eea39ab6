import { Predicate } from "effect"
import type { ConfigProblem } from "../../dsl/model/StepKind.ts"

/**
 * Refuses an array or object of `with` that is written empty, so that the step can find nothing. Versions that were
 * published with one run, and are still served.
 */
export const refuseEmpty =
  (name: string, message: string) =>
  (config: unknown): ReadonlyArray<ConfigProblem> => {
    const value = Predicate.hasProperty(config, name) ? config[name] : undefined
    return Predicate.isObjectOrArray(value) && Object.keys(value).length === 0
      ? [{ path: [name], message, onlyNew: true }]
      : []
  }

/** Refuses classes without a class. */
export const refuseNoClass = refuseEmpty(
  "classes",
  "At least one class is required, such as invoice: { keywords: [invoice] }."
)
