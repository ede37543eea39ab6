/** The maximum nesting of JSON; deeper nesting makes `JSON.parse` block the event loop for seconds. */
const maxDepth = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/** Limits of one member of a JSON object, or of an object in it. */
export interface MemberLimit {
  /** Its name, or two names with a dot between them. */
  readonly path: string
  /** Its maximum size in bytes as sent, with white space and escapes. */
  readonly bytes: number
  /** The maximum number of members of all objects in it. */
  readonly members: number
}

/** Limits of a JSON text; omitted ones do not apply. */
export interface JsonBounds {
  /** Elements, members, arrays and objects. */
  readonly values?: number
  readonly members?: ReadonlyArray<MemberLimit>
}

/** The limit that a JSON text exceeds; `in` is the member to which it applies. */
export type JsonExcess =
  { readonly of: "depth" | "values" } | { readonly of: "bytes" | "members"; readonly in: MemberLimit }

/** Whether arrays and objects are nested more than 64 deep; scans the bytes without parsing. */
export const isTooDeep = (json: Uint8Array): boolean => jsonExcess(json)?.of === "depth"

/**
 * Finds the limit that a JSON text exceeds: arrays and objects nested more than 64 deep, too many values, or a member
 * over its limit. Scans the bytes without parsing, up to the first exceeded limit.
 */
export const jsonExcess = (json: Uint8Array, bounds: JsonBounds = {}): JsonExcess | undefined => {
  const { values: most = Infinity } = bounds
  const limited = new LimitedMembers(json, bounds.members ?? [])
  let depth = 0
  let values = 1
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    let passed: JsonExcess | undefined
    if (byte === quote) {
      const end = endOfString(json, index)
      limited.string(index, end, depth)
      index = end
    } else if (byte === colon) passed = limited.colon(index, depth)
    else if (byte === comma) {
      values += 1
      passed = limited.end(index, depth)
    } else if (byte !== undefined && openers.has(byte)) {
      values += 1
      depth += 1
      if (depth > maxDepth) return { of: "depth" }
    } else if (byte !== undefined && closers.has(byte)) {
      passed = limited.end(index, depth)
      depth -= 1
    }
    if (passed !== undefined) return passed
    if (values > most) return { of: "values" }
  }
  return limited.end(json.length, 0)
}

/** The maximum length of a name that is looked for, even with every letter escaped. */
const longestName = 200

/** Tracks which of the limited members the scan is in. */
class LimitedMembers {
  readonly #json: Uint8Array
  readonly #limits: ReadonlyArray<MemberLimit>
  /** The last string, which is a name if a colon follows. */
  #last = { start: 0, end: 0 }
  /** The current name at the first level. */
  #outer = ""
  #open: { readonly limit: MemberLimit; readonly start: number; readonly depth: number } | undefined
  #members = 0

  constructor(json: Uint8Array, limits: ReadonlyArray<MemberLimit>) {
    this.#json = json
    this.#limits = limits
  }

  string(start: number, end: number, depth: number): void {
    if (depth <= 2) this.#last = { start, end }
  }

  /** A value follows at `index` + 1. */
  colon(index: number, depth: number): JsonExcess | undefined {
    if (this.#open !== undefined) {
      this.#members += 1
      const { limit } = this.#open
      return this.#members > limit.members ? { of: "members", in: limit } : undefined
    }
    if (depth > 2 || this.#limits.length === 0) return undefined
    const name = this.#name()
    if (depth === 1) this.#outer = name
    const path = depth === 1 ? name : `${this.#outer}.${name}`
    const limit = this.#limits.find((limit) => limit.path === path)
    if (limit !== undefined) {
      this.#open = { limit, start: index + 1, depth }
      this.#members = 0
    }
    return undefined
  }

  /** A value ends before `index`. */
  end(index: number, depth: number): JsonExcess | undefined {
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

/**
 * The number of escaped quotes after which a string is scanned byte by byte: the native search is faster only if there
 * are few.
 */
const manyEscapes = 16

/** The index of the quote that ends the string starting at `start`; the native search skips a document at once. */
const endOfString = (json: Uint8Array, start: number): number => {
  let end = json.indexOf(quote, start + 1)
  for (let escapes = 0; end !== -1 && isEscaped(json, end); escapes++) {
    if (escapes > manyEscapes) return endByBytes(json, end + 1)
    end = json.indexOf(quote, end + 1)
  }
  return end === -1 ? json.length : end
}

/** The same, byte by byte; `index` is after an escape. */
const endByBytes = (json: Uint8Array, index: number): number => {
  let at = index
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return Math.min(at, json.length)
}

const isEscaped = (json: Uint8Array, at: number): boolean => {
  let slashes = 0
  while (json[at - 1 - slashes] === backslash) slashes += 1
  return slashes % 2 === 1
}
