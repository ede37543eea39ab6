import { Context, Layer } from "effect"

/** The maximum size of documents in memory, in bytes. */
const mostBytes = 64 * 1024 * 1024

interface Recent {
  /** SHA-256 of the document, in hexadecimal. */
  readonly blob: string
  readonly bytes: Uint8Array
  /** Whether its organization had any example when it was accepted. */
  readonly hasExamples: boolean
}

/**
 * The documents of executions that were accepted in this process and have not ended: a runner in this process need not
 * fetch them. The oldest are dropped to make room for newer ones.
 */
export class RecentAcceptances extends Context.Service<
  RecentAcceptances,
  {
    keep(executionId: string, accepted: Recent): void
    /** The bytes of an execution's document: the same object that was kept. */
    findDocument(executionId: string, blob: string): Uint8Array | undefined
    /** Whether there may be examples for an execution; true for one that is not known here. */
    mayHaveExamples(executionId: string): boolean
    forget(executionId: string): void
    /** Forgets all of them. */
    clear(): void
  }
>()("docflow/engine/RecentAcceptances") {
  static readonly layer = Layer.sync(RecentAcceptances, () => {
    const kept = new Map<string, Recent>()
    let size = 0
    const forget = (executionId: string): void => {
      size -= kept.get(executionId)?.bytes.length ?? 0
      kept.delete(executionId)
    }
    return RecentAcceptances.of({
      keep: (executionId, accepted) => {
        kept.set(executionId, accepted)
        size += accepted.bytes.length
        for (const oldest of kept.keys()) {
          if (size <= mostBytes) break
          forget(oldest)
        }
      },
      findDocument: (executionId, blob) => {
        const found = kept.get(executionId)
        return found?.blob === blob ? found.bytes : undefined
      },
      mayHaveExamples: (executionId) => kept.get(executionId)?.hasExamples ?? true,
      forget,
      clear: () => {
        kept.clear()
        size = 0
      }
    })
  })
}
