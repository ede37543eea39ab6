import { Predicate, Result, Schema } from "effect"
import { isList } from "../../dsl/types/Values.ts"

/** What an execution used up, and how much of it there is. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  limit: Schema.Literals(["steps", "step output", "all outputs"]),
  message: Schema.String
}) {}

/** What one execution may do; `size` is in characters: those of strings and names, and 8 for every value. */
export interface ExecutionLimits {
  readonly steps: number
  readonly outputSize: number
  readonly totalSize: number
}

const mebi = 1024 * 1024

/** Room for the pages of the largest document that is read, a few times over. */
export const executionLimits: ExecutionLimits = {
  steps: 10_000,
  outputSize: 256 * mebi,
  totalSize: 384 * mebi
}

/** Objects above this size are remembered: what later steps pass on is not measured again. */
const worthRemembering = 4096
const perValue = 8

/** What an execution has left. Steps share values, so a small one may be huge once it is written out. */
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

  /** Whether no more steps began than may: a handler around one that could not begin makes its failure no success. */
  stepsFit(): Result.Result<void, BudgetExceeded> {
    const most = this.#limits.steps
    return this.#steps <= most
      ? Result.succeed(undefined)
      : exceeded("steps", `The execution has more than ${most} steps`)
  }

  /** Whether a value can be written out at all: the configuration of a step, before anything walks it. */
  fits(value: unknown): Result.Result<void, BudgetExceeded> {
    const most = this.#limits.outputSize
    return this.#measure(value, most) <= most
      ? Result.succeed(undefined)
      : exceeded("step output", `The value has more than ${most} characters`)
  }

  /** Counts what a step made; what an earlier step made and this one passes on counts again, as it is kept again. */
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
      for (const [name, field] of Object.entries(value)) {
        size += name.length + this.#measure(field, most - size)
        if (size > most) return size
      }
    }
    if (size > worthRemembering) this.#sizes.set(value, size)
    return size
  }
}

const exceeded = (limit: BudgetExceeded["limit"], reason: string) =>
  Result.fail(new BudgetExceeded({ limit, message: `${reason} (limit: ${limit})` }))

/** A value that was evaluated, if it can be written out. */
export const within = <A, E>(
  budget: ExecutionBudget,
  result: Result.Result<A, E>
): Result.Result<A, E | BudgetExceeded> =>
  Result.flatMap(result, (value): Result.Result<A, BudgetExceeded> =>
    Result.map(budget.fits(value), () => value)
  )
