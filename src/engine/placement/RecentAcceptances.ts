import { Context, Layer } from "effect"
import type { StartedRow } from "../journal/StartedRow.ts"

/** The maximum size of documents and variables in memory, in bytes. */
const mostBytes = 64 * 1024 * 1024

interface Recent {
  /** SHA-256 of the document, in hexadecimal. */
  readonly blob: string
  readonly bytes: Uint8Array
  /** What its first start would read from the database. */
  readonly start: StartedRow
  /** Whether its organization had any example when it was accepted. */
  readonly hasExamples: boolean
}

/**
 * The executions that were accepted in this process and have not ended: a runner in this process need neither fetch
 * their documents nor wait for what their first start reads. The oldest are dropped to make room for newer ones.
 */
export class RecentAcceptances extends Context.Service<
  RecentAcceptances,
  {
    keep(executionId: string, accepted: Recent): void
    /** The bytes of an execution's document: the same object that was kept. */
    findDocument(executionId: string, blob: string): Uint8Array | undefined
    /** What the first start of an execution would read. Another process may have started it meanwhile. */
    findStart(executionId: string): StartedRow | undefined
    /** Whether there may be examples for an execution; true for one that is not known here. */
    mayHaveExamples(executionId: string): boolean
    forget(executionId: string): void
    /** Forgets all of them. */
    clear(): void
  }
>()("docflow/engine/RecentAcceptances") {
  static readonly layer = Layer.sync(RecentAcceptances, () => {
    const kept = new Map<string, Recent & { readonly size: number }>()
    let size = 0
    const forget = (executionId: string): void => {
      size -= kept.get(executionId)?.size ?? 0
      kept.delete(executionId)
    }
    return RecentAcceptances.of({
      keep: (executionId, accepted) => {
        const own = accepted.bytes.length + sizeOf(accepted.start)
        kept.set(executionId, { ...accepted, size: own })
        size += own
        for (const oldest of kept.keys()) {
          if (size <= mostBytes) break
          forget(oldest)
        }
      },
      findDocument: (executionId, blob) => {
        const found = kept.get(executionId)
        return found?.blob === blob ? found.bytes : undefined
      },
      findStart: (executionId) => kept.get(executionId)?.start,
      mayHaveExamples: (executionId) => kept.get(executionId)?.hasExamples ?? true,
      forget,
      clear: () => {
        kept.clear()
        size = 0
      }
    })
  })
}

/** Size of an execution without its document, roughly, in bytes. */
const sizeOf = ({ variables }: StartedRow): number =>
  Object.keys(variables).length === 0 ? 500 : 500 + JSON.stringify(variables).length
