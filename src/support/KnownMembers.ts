/** Limits of one member of a JSON object, or of an object in it. */
export interface MemberLimit {
  /** Its name, or two names with a dot between them. */
  readonly path: string
  /** Its maximum size in bytes as sent, with white space and escapes. */
  readonly bytes: number
  /** The maximum number of members of all objects in it. */
  readonly members: number
}

/** The limit that a JSON text exceeds; `in` is the member to which it applies. */
export type JsonExcess =
  { readonly of: "depth" | "values" } | { readonly of: "bytes" | "members"; readonly in: MemberLimit }

/** Where a string is in a JSON text: the indices of its quotes. */
export interface StringPlace {
  readonly start: number
  readonly end: number
}

/** The maximum length of a name that is looked for, even with every letter escaped. */
const longestName = 200

/** Tracks which of the limited members the scan is in, and finds the sought one. */
export class KnownMembers {
  readonly #json: Uint8Array
  readonly #limits: ReadonlyArray<MemberLimit>
  readonly #sought: string | undefined
  /** The number of names of the path that is sought. */
  readonly #soughtDepth: number
  /** The number of names of the longest path. */
  readonly #deepest: number
  /** The last string, which is a name if a colon follows. */
  #last = { start: 0, end: 0 }
  /** The current names at the first levels. */
  readonly #names: Array<string> = []
  #open: { readonly limit: MemberLimit; readonly start: number; readonly depth: number } | undefined
  #members = 0
  /** Whether the sought member's value comes next. */
  #isNext = false
  found: StringPlace | undefined

  constructor(json: Uint8Array, limits: ReadonlyArray<MemberLimit>, sought: string | undefined) {
    this.#json = json
    this.#limits = limits
    this.#sought = sought
    this.#soughtDepth = sought?.split(".").length ?? 0
    this.#deepest = Math.max(limits.length === 0 ? 0 : 2, this.#soughtDepth)
  }

  string(start: number, end: number, depth: number): void {
    if (this.#isNext && depth === this.#soughtDepth) this.found = { start, end }
    if (depth <= this.#deepest) this.#last = { start, end }
  }

  /** A value follows at `index` + 1. */
  colon(index: number, depth: number): JsonExcess | undefined {
    if (this.#open !== undefined) {
      this.#members += 1
      const { limit } = this.#open
      return this.#members > limit.members ? { of: "members", in: limit } : undefined
    }
    if (depth > this.#deepest || depth === 0) return undefined
    this.#names[depth - 1] = this.#name()
    const path = this.#names.slice(0, depth).join(".")
    this.#isNext = path === this.#sought
    const limit = this.#limits.find((limit) => limit.path === path)
    if (limit !== undefined) {
      this.#open = { limit, start: index + 1, depth }
      this.#members = 0
    }
    return undefined
  }

  /** A value ends before `index`. */
  end(index: number, depth: number): JsonExcess | undefined {
    this.#isNext = false
    const open = this.#open
    if (open === undefined || depth > open.depth) return undefined
    this.#open = undefined
    return index - open.start > open.limit.bytes ? { of: "bytes", in: open.limit } : undefined
  }

  #name(): string {
    const { end, start } = this.#last
    if (end - start > longestName) return ""
    const text = Buffer.from(this.#json.buffer, this.#json.byteOffset + start + 1, end - start - 1).toString()
    // An escaped name is the same name. Invalid JSON is refused when the whole text is parsed.
    return text.replace(/\\u([0-9a-f]{4})/giu, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16))
    )
  }
}
