import { type JsonExcess, KnownMembers, type MemberLimit, type StringPlace } from "./KnownMembers.ts"

/** The maximum nesting of JSON; deeper nesting makes `JSON.parse` block the event loop for seconds. */
const maxDepth = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/** Limits of a JSON text; omitted ones do not apply. */
export interface JsonBounds {
  /** Elements, members, arrays and objects. */
  readonly values?: number
  readonly members?: ReadonlyArray<MemberLimit>
}

/** What a scan of a JSON text found. */
export interface ScannedJson {
  /** The first limit that it exceeds. If there is one, the rest was not scanned. */
  readonly excess: JsonExcess | undefined
  /** The last string found as the value of the sought member; a member of the same name in an array may be taken for it. */
  readonly sought: StringPlace | undefined
}

/** Whether arrays and objects are nested more than 64 deep; scans the bytes without parsing. */
export const isTooDeep = (json: Uint8Array): boolean => jsonExcess(json)?.of === "depth"

/**
 * Finds the limit that a JSON text exceeds: arrays and objects nested more than 64 deep, too many values, or a member
 * over its limit. Scans the bytes without parsing, up to the first exceeded limit.
 */
export const jsonExcess = (json: Uint8Array, bounds: JsonBounds = {}): JsonExcess | undefined =>
  scanJson(json, bounds).excess

/** The same; also finds the string that is the value of a member. `sought` is its path: up to three names with dots between them. */
export const scanJson = (json: Uint8Array, bounds: JsonBounds, sought?: string): ScannedJson => {
  const members = new KnownMembers(json, bounds.members ?? [], sought)
  const excess = excessOf(json, bounds.values ?? Infinity, members)
  return { excess, sought: members.found }
}

const excessOf = (json: Uint8Array, most: number, members: KnownMembers): JsonExcess | undefined => {
  let depth = 0
  let values = 1
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    let passed: JsonExcess | undefined
    if (byte === quote) {
      const end = endOfString(json, index)
      members.string(index, end, depth)
      index = end
    } else if (byte === colon) passed = members.colon(index, depth)
    else if (byte === comma) {
      values += 1
      passed = members.end(index, depth)
    } else if (byte !== undefined && openers.has(byte)) {
      values += 1
      depth += 1
      if (depth > maxDepth) return { of: "depth" }
    } else if (byte !== undefined && closers.has(byte)) {
      passed = members.end(index, depth)
      depth -= 1
    }
    if (passed !== undefined) return passed
    if (values > most) return { of: "values" }
  }
  return members.end(json.length, 0)
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
