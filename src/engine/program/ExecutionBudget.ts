import { Effect, Predicate, Result, Schema } from "effect"
import { isList } from "../../../dsl/types/Values.ts"
import { jsonSize } from "../../support/JsonSlices.ts"

/** The budget that an execution exceeded, and its limit. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  limit: Schema.Literals(["steps", "value", "step output", "all outputs"]),
  message: Schema.String
}) {}

/** The limits of one execution; `size` is in characters: those of strings and names, plus 8 for every value. */
export interface ExecutionLimits {
  readonly steps: number
  /** A value that expressions make, without pages that a step read. */
  readonly valueSize: number
  readonly outputSize: number
  readonly totalSize: number
}

const mebi = 1024 * 1024

/** Outputs: enough for several copies of the pages of the largest document. */
export const executionLimits: ExecutionLimits = {
  steps: 10_000,
  valueSize: 32 * mebi,
  outputSize: 256 * mebi,
  totalSize: 384 * mebi
}

/** The remaining budget of an execution. Steps share values, so a small value may be huge once it is serialized. */
export class ExecutionBudget {
  readonly #limits: ExecutionLimits
  /** Sizes without the pages that steps read. */
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
   * Whether a value that expressions made is small enough to be handled at once; checked for the configuration of a step
   * before anything traverses it.
   */
  fits(value: unknown): Result.Result<void, BudgetExceeded> {
    const most = this.#limits.valueSize
    return jsonSize(value, most, this.#sizes) <= most
      ? Result.succeed(undefined)
      : exceeded(
          "value",
          `The value has more than ${most} characters as JSON, without the pages of documents`
        )
  }

  /** Counts the output of a step; values passed on from earlier steps count again, because they are stored again. */
  add(output: unknown): Result.Result<void, BudgetExceeded> {
    const { outputSize, totalSize } = this.#limits
    const size = jsonSize(output, outputSize)
    if (size > outputSize)
      return exceeded("step output", `The output of the step has more than ${outputSize} characters`)
    this.#size += size
    return this.#size <= totalSize
      ? Result.succeed(undefined)
      : exceeded("all outputs", `The outputs of the steps have more than ${totalSize} characters together`)
  }

  /** Counts the output of a step that read a document; its pages are no part of the values that expressions make of them. */
  addReading(output: unknown): Effect.Effect<Result.Result<void, BudgetExceeded>> {
    const document = Predicate.hasProperty(output, "document") ? output.document : undefined
    const pages = Predicate.hasProperty(document, "pages") && isList(document.pages) ? document.pages : []
    // Measured page by page, so that other work gets its turn.
    return Effect.forEach(pages, (page) =>
      Effect.andThen(
        Effect.sync(() => {
          if (Predicate.isObject(page)) this.#sizes.set(page, 0)
          return jsonSize(page, this.#limits.outputSize)
        }),
        Effect.yieldNow
      )
    ).pipe(Effect.map(() => this.add(output)))
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
