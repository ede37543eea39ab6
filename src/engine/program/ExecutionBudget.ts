import { Predicate, Result, Schema } from "effect"
import { isList } from "../../../dsl/types/Values.ts"

/** The budget that an execution exceeded, and its limit. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  limit: Schema.Literals(["steps", "step output", "all outputs"]),
  message: Schema.String
}) {}

/** The limits of one execution; `size` is in characters: those of strings and names, plus 8 for every value. */
export interface ExecutionLimits {
  readonly steps: number
  readonly outputSize: number
  readonly totalSize: number
}

const mebi = 1024 * 1024

/** Enough for several copies of the pages of the largest document. */
export const executionLimits: ExecutionLimits = {
  steps: 10_000,
  outputSize: 256 * mebi,
  totalSize: 384 * mebi
}

/** Sizes of larger objects are cached, so that values passed on by later steps are not measured again. */
const worthRemembering = 4096
const perValue = 8

/** The remaining budget of an execution. Steps share values, so a small value may be huge once it is serialized. */
export class ExecutionBudget {
  readonly #limits: ExecutionLimits
  readonly #sizes = new WeakMap<object, number>()
  #steps = 0
  #size = 0

  constructor(limits: ExecutionLimits = executionLimits) {
    this.#limits = limits
  }

  /** Counts one more step. */
  step(): Result.Result<void, BudgetExceeded> {
    this.#steps += 1
    return this.stepsFit()
  }

  /**
   * Whether the number of steps is within the limit: an error handler cannot turn a failure to start a step into a
   * success.
   */
  stepsFit(): Result.Result<void, BudgetExceeded> {
    const most = this.#limits.steps
    return this.#steps <= most
      ? Result.succeed(undefined)
      : exceeded("steps", `The execution has more than ${most} steps`)
  }

  /**
   * Whether a value is small enough to be serialized; checked for the configuration of a step before anything traverses
   * it.
   */
  fits(value: unknown): Result.Result<void, BudgetExceeded> {
    const most = this.#limits.outputSize
    return this.#measure(value, most) <= most
      ? Result.succeed(undefined)
      : exceeded("step output", `The value has more than ${most} characters`)
  }

  /** Counts the output of a step; values passed on from earlier steps count again, because they are stored again. */
  add(output: unknown): Result.Result<void, BudgetExceeded> {
    const most = this.#limits.totalSize
    return Result.flatMap(this.fits(output), () => {
      this.#size += this.#measure(output, most)
      return this.#size <= most
        ? Result.succeed(undefined)
        : exceeded("all outputs", `The outputs of the steps have more than ${most} characters together`)
    })
  }

  /** The size of a value, or something above `most` as soon as it is larger. */
  #measure(value: unknown, most: number): number {
    if (typeof value === "string") return perValue + value.length
    if (!Predicate.isObjectOrArray(value)) return perValue
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    let size = perValue
    if (isList(value)) {
      for (const element of value) {
        size += this.#measure(element, most - size)
        if (size > most) return size
      }
    } else {
      // Names without their values: pairs would be made for each of thousands of words.
      for (const name of Object.keys(value)) {
        size += name.length + this.#measure(value[name], most - size)
        if (size > most) return size
      }
    }
    if (size > worthRemembering) this.#sizes.set(value, size)
    return size
  }
}

const exceeded = (limit: BudgetExceeded["limit"], reason: string) =>
  Result.fail(new BudgetExceeded({ limit, message: `${reason} (limit: ${limit})` }))

/** An evaluated value, if it is small enough to be serialized. */
export const within = <A, E>(
  budget: ExecutionBudget,
  result: Result.Result<A, E>
): Result.Result<A, E | BudgetExceeded> =>
  Result.flatMap(result, (value): Result.Result<A, BudgetExceeded> =>
    Result.map(budget.fits(value), () => value)
  )
