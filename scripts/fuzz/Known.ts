import { Predicate } from "effect"

const pools: Readonly<Record<string, string>> = {
  exec: "executions",
  org: "organizations",
  key: "keys",
  dlv: "deliveries",
  usr: "users"
}
const aliases: Readonly<Record<string, string>> = { runs: "executions", diff: "executions" }
const largest = 400

/** The ids that answers named, so that later requests ask for what exists. */
export class Known {
  readonly #ids = new Map<string, Array<string>>()
  readonly #kept = new Set<string>()

  /** Ids that are for reading only: what the run itself needs to go on. */
  keep(...ids: ReadonlyArray<string>): void {
    for (const id of ids) this.#kept.add(id)
  }

  /** Takes note of an id of a pool. */
  add(pool: string, id: string): void {
    const ids = this.#ids.get(pool) ?? []
    this.#ids.set(pool, ids)
    if (this.#kept.has(id) || ids.includes(id)) return
    ids.push(id)
    // Old ones are erased, revoked or finished by now.
    if (ids.length > largest) ids.splice(1, 1)
  }

  /** Takes note of every id in an answer. */
  learn(body: unknown): void {
    if (!Predicate.isObjectOrArray(body)) return
    for (const [name, part] of Object.entries(body)) {
      const pool = typeof part === "string" && name === "id" ? pools[part.split("_")[0] ?? ""] : undefined
      if (pool !== undefined) this.add(pool, String(part))
      else this.learn(part)
    }
  }

  /** The path with ids in place of `⟦pool:number⟧`. */
  fill(path: string): string {
    return path.replaceAll(/⟦([a-z]*):(\d+)⟧/gu, (_, name: string, index: string) => {
      const ids = this.#ids.get(aliases[name] ?? name) ?? []
      return ids[Number(index) % Math.max(1, ids.length)] ?? "unknown"
    })
  }
}
