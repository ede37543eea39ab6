import { Context, Effect, type Function } from "effect"
import type { LearnedExample, LayoutWord } from "../../domain/LearnedExample.ts"
import type { BlobStoreFailure } from "../blobs/Blobs.ts"

/**
 * Examples that people taught by corrections. An execution sees only those of its own organization and environment;
 * local runs have none.
 */
export const LearnedExamples = Context.Reference<{
  /**
   * Examples that are the most likely to have the layout of these words, which are asked for only where there may be any.
   * BlobStoreFailure is not a failure of the step: the engine tries the execution again.
   */
  readonly similar: (
    executionId: string,
    words: Function.LazyArg<ReadonlyArray<LayoutWord>>
  ) => Effect.Effect<ReadonlyArray<LearnedExample>, BlobStoreFailure>
  /** Counts that an example proposed values. */
  readonly used: (id: string) => Effect.Effect<void>
}>("docflow/providers/LearnedExamples", {
  defaultValue: () => ({ similar: () => Effect.succeed([]), used: () => Effect.void })
})
