import { Effect, Predicate } from "effect"
import { JsonCursor } from "./JsonCursor.ts"

/** The size of JSON, in characters or bytes, that is encoded or decoded before other work gets its turn. */
const atOnce = 1024 * 1024
const perValue = 8

/** Sizes of larger objects are cached, so that values that later steps pass on are not measured again. */
const worthRemembering = 4096
const sizes = new WeakMap<object, number>()

/**
 * The size of a value as JSON, roughly: the characters of its strings and names, and 8 for every value. Something above
 * `most` as soon as it is larger.
 */
export const jsonSize = (value: unknown, most: number, sizesOf = sizes): number => {
  if (typeof value === "string") return perValue + value.length
  if (!Predicate.isObjectOrArray(value)) return perValue
  const known = sizesOf.get(value)
  if (known !== undefined) return known
  let size = perValue
  if (Array.isArray(value)) {
    for (const element of value) {
      size += jsonSize(element, most - size, sizesOf)
      if (size > most) return size
    }
  } else {
    // Names without their values: pairs would be made for each of thousands of words.
    for (const name of Object.keys(value)) {
      size += name.length + jsonSize(Reflect.get(value, name), most - size, sizesOf)
      if (size > most) return size
    }
  }
  if (size > worthRemembering) sizesOf.set(value, size)
  return size
}

/** A long string as pieces of its JSON text, none of which ends within a character. */
function* stringSlices(value: string, text: (value: unknown) => string): Generator<string> {
  yield `"`
  for (let from = 0; from < value.length;) {
    const end = from + atOnce
    const to = /[\ud800-\udbff]/u.test(value.charAt(end - 1)) ? end - 1 : end
    yield text(value.slice(from, to)).slice(1, -1)
    from = to
  }
  yield `"`
}

/** A value as pieces of JSON text, each at most about 1 MB; `text` encodes a piece. */
function* jsonSlices(value: unknown, text: (value: unknown) => string): Generator<string> {
  if (typeof value === "string" && value.length > atOnce) return yield* stringSlices(value, text)
  if (!Predicate.isObjectOrArray(value) || jsonSize(value, atOnce) <= atOnce) return yield text(value)
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) {
      yield at === 0 ? "[" : ","
      yield* jsonSlices(element ?? null, text)
    }
    return yield "]"
  }
  let opening = "{"
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name)
    if (member === undefined) continue
    yield `${opening}${text(name)}:`
    opening = ","
    yield* jsonSlices(member, text)
  }
  yield opening === "{" ? "{}" : "}"
}

/** Encodes a value as JSON in UTF-8; other work gets its turn after each megabyte. */
export const encodeJson = Effect.fnUntraced(function* (value: unknown, text: (value: unknown) => string) {
  const pieces: Array<Buffer> = []
  let slice = ""
  for (const piece of jsonSlices(value, text)) {
    slice += piece
    if (slice.length < atOnce) continue
    pieces.push(Buffer.from(slice))
    slice = ""
    yield* Effect.yieldNow
  }
  return Buffer.concat([...pieces, Buffer.from(slice)])
})

/** Containers within so many others are parsed in one go: those of a page's lines, or of a table's cells. */
const openedDepth = 4

function* parts(cursor: JsonCursor, depth: number): Generator<void, unknown> {
  if (depth < openedDepth && cursor.isArray()) {
    const list: Array<unknown> = []
    for (const _ of cursor.items()) list.push(yield* parts(cursor, depth + 1))
    return list
  }
  if (depth < openedDepth && cursor.isObject()) {
    const members: Array<readonly [string, unknown]> = []
    for (const name of cursor.members()) members.push([name, yield* parts(cursor, depth + 1)])
    return Object.fromEntries(members)
  }
  const value = cursor.value()
  yield
  return value
}

/** Parses JSON that `encodeJson` wrote; other work gets its turn after each megabyte. */
export const decodeJson = Effect.fnUntraced(function* (bytes: Uint8Array) {
  if (bytes.length <= atOnce) {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return value
  }
  const cursor = new JsonCursor(bytes)
  const reading = parts(cursor, 0)
  let since = 0
  for (let next = reading.next(); ; next = reading.next()) {
    if (next.done === true) return next.value
    if (cursor.position - since < atOnce) continue
    since = cursor.position
    yield* Effect.yieldNow
  }
})
