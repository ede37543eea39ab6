import { Context, Layer } from "effect"

/** Documents that are kept in memory at once, in bytes. */
const mostBytes = 64 * 1024 * 1024

interface Recent {
  readonly blob: string
  readonly bytes: Uint8Array
}

/**
 * The documents of executions that were accepted in this process and have not ended: whoever runs such an execution here
 * need not fetch its document. The oldest make room for newer ones.
 */
export class RecentDocuments extends Context.Service<
  RecentDocuments,
  {
    keep(executionId: string, document: Recent): void
    /** The bytes of an execution's document, the very object that was kept. */
    find(executionId: string, blob: string): Uint8Array | undefined
    forget(executionId: string): void
  }
>()("docflow/engine/RecentDocuments") {
  static readonly layer = Layer.sync(RecentDocuments, () => {
    const kept = new Map<string, Recent>()
    let size = 0
    const forget = (executionId: string): void => {
      size -= kept.get(executionId)?.bytes.length ?? 0
      kept.delete(executionId)
    }
    return RecentDocuments.of({
      keep: (executionId, document) => {
        kept.set(executionId, document)
        size += document.bytes.length
        for (const oldest of kept.keys()) {
          if (size <= mostBytes) break
          forget(oldest)
        }
      },
      find: (executionId, blob) => {
        const found = kept.get(executionId)
        return found?.blob === blob ? found.bytes : undefined
      },
      forget
    })
  })
}
