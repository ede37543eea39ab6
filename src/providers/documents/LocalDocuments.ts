import { Context, Effect, Layer, type Scope } from "effect"
import { sha256 } from "../../support/Sha256.ts"
import { notKept, OwnDocuments } from "./OwnDocuments.ts"

/** The documents of the executions that run in this process without a database, in memory. */
export class LocalDocuments extends Context.Service<
  LocalDocuments,
  {
    /**
     * Gives an execution a document until the scope closes, and returns the name of its blob; `known` is that name, if
     * the caller has it.
     */
    keep(executionId: string, bytes: Uint8Array, known?: string): Effect.Effect<string, never, Scope.Scope>
  }
>()("docflow/providers/LocalDocuments") {
  /** Both services: the one that stores documents, and the one through which steps read them. */
  static readonly layer = Layer.effectContext(
    Effect.sync(() => {
      const kept = new Map<string, { readonly blob: string; readonly bytes: Uint8Array }>()
      const keep = (executionId: string, bytes: Uint8Array, known?: string) =>
        Effect.acquireRelease(
          Effect.map(known === undefined ? sha256(bytes) : Effect.succeed(known), (blob) => {
            kept.set(executionId, { blob, bytes })
            return blob
          }),
          () => Effect.sync(() => void kept.delete(executionId))
        )
      return Context.make(LocalDocuments, LocalDocuments.of({ keep })).pipe(
        Context.add(
          OwnDocuments,
          OwnDocuments.of({
            bytes: (executionId, { blob }) =>
              Effect.suspend(() => {
                const own = kept.get(executionId)
                return own?.blob === blob ? Effect.succeed(own.bytes) : Effect.fail(notKept)
              })
          })
        )
      )
    })
  )
}
