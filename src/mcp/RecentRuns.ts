import type { RunResult } from "../services/local-runs/LocalRuns.ts"
import type { GivenDocument } from "./McpDocuments.ts"

/** A run that the tools can ask about again. */
export interface RecentRun {
  readonly result: RunResult
  readonly document: GivenDocument
}

/** The maximum number of runs, and of bytes of their documents. */
const mostRuns = 100
const mostBytes = 100_000_000

/**
 * The last runs of this server and their documents, in memory only: up to 100 runs and 100 MB; the oldest are dropped
 * first.
 */
export class RecentRuns {
  readonly #runs = new Map<string, RecentRun>()

  add(id: string, run: RecentRun): void {
    this.#runs.set(id, run)
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= mostRuns && this.#size() <= mostBytes) return
      if (oldest !== id) this.#runs.delete(oldest)
    }
  }

  get(id: string): RecentRun | undefined {
    return this.#runs.get(id)
  }

  #size(): number {
    return [...this.#runs.values()].reduce((sum, { document }) => sum + document.bytes.length, 0)
  }
}
