import { Context, Effect, Deferred } from "effect"
import type { LlmAnswer } from "./Llm.ts"

/** What an execution may ask of models. */
interface ModelBound {
  readonly requests: number
  readonly tokens: number
}

/** What is left of a bound: no request is sent that could exceed it. */
export class ModelAllowance {
  readonly #bound: ModelBound
  #requests = 0
  #tokens = 0
  /** What requests need at most that are not answered yet. */
  #held = 0
  #returned = Deferred.makeUnsafe<void>()

  /** `paid` is what the execution has paid for before. */
  constructor(bound: ModelBound, paid: Iterable<LlmAnswer> = []) {
    this.#bound = bound
    for (const answer of paid) {
      const tokens = answer.inputTokens + answer.outputTokens
      this.spend(tokens)
      if (tokens > 0) this.#requests++
    }
  }

  /** Counts tokens of an answer. */
  spend(tokens: number): void {
    this.#tokens += tokens
  }

  /**
   * Sends a request that needs this number of tokens at most, once it fits next to those under way. Fails with what
   * `exceeded` makes of the words if it fits no more.
   */
  within<A, E>(
    tokens: number,
    request: Effect.Effect<A, E>,
    exceeded: (words: string) => E
  ): Effect.Effect<A, E> {
    const take = (restore: <B, F>(effect: Effect.Effect<B, F>) => Effect.Effect<B, F>): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        const { requests, tokens: most } = this.#bound
        if (this.#requests >= requests || this.#tokens + tokens > most)
          return Effect.fail(exceeded(this.#words(tokens)))
        if (this.#tokens + this.#held + tokens > most)
          return Effect.andThen(restore(Deferred.await(this.#returned)), take(restore))
        this.#requests++
        this.#held += tokens
        return Effect.ensuring(restore(request), this.#giveBack(tokens))
      })
    return Effect.uninterruptibleMask(take)
  }

  readonly #giveBack = (tokens: number) =>
    Effect.suspend(() => {
      this.#held -= tokens
      const returned = this.#returned
      this.#returned = Deferred.makeUnsafe()
      return Deferred.succeed(returned, undefined)
    })

  #words(next: number): string {
    const { requests, tokens } = this.#bound
    return (
      `the execution may use ${requests} requests and ${tokens} tokens by its credits; it has used ` +
      `${this.#requests} and ${this.#tokens}, and the next request needs up to ${next}`
    )
  }
}

/** The answers that an execution has got, by the hash of their request: nobody pays for them again. */
export interface KeptAnswers {
  readonly byRequest: Map<string, LlmAnswer>
  /** Stores one more with the execution. */
  readonly keep: (request: string, answer: LlmAnswer) => Effect.Effect<void>
}

/** The execution for which a model is asked. */
export class ModelRun extends Context.Reference<{
  /** Providers share their places by it; empty outside a service. */
  readonly organization: string
  readonly flow?: string
  readonly answers?: KeptAnswers
  readonly allowance?: ModelAllowance
}>("docflow/providers/ModelRun", { defaultValue: () => ({ organization: "" }) }) {}
