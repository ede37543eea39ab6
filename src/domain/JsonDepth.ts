/** JSON may be nested this deep; deeper nesting makes `JSON.parse` block the event loop for seconds. */
const maxDepth = 64

const quote = 0x22
const backslash = 0x5c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

const comma = 0x2c

/** Whether arrays and objects are nested more than 64 deep; a scan of the bytes, without parsing. */
export const isTooDeep = (json: Uint8Array): boolean => jsonExcess(json) === "depth"

/**
 * What a JSON text has too much of: arrays and objects nested more than 64 deep, or more than `most` values (elements,
 * members, arrays and objects). A scan of the bytes without parsing, which ends where the limit is passed.
 */
export const jsonExcess = (json: Uint8Array, most = Infinity): "depth" | "values" | undefined => {
  let depth = 0
  let values = 1
  let index = 0
  while (index < json.length) {
    const byte = json[index]
    if (byte === quote) index = endOfString(json, index)
    else if (byte !== undefined && openers.has(byte)) {
      depth += 1
      values += 1
      if (depth > maxDepth) return "depth"
    } else if (byte !== undefined && closers.has(byte)) depth -= 1
    else if (byte === comma) values += 1
    if (values > most) return "values"
    index += 1
  }
  return undefined
}

/** The index of the quote that ends the string which starts at `start`; the native search skips a document in one go. */
const endOfString = (json: Uint8Array, start: number): number => {
  let end = json.indexOf(quote, start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(quote, end + 1)
  return end === -1 ? json.length : end
}

const isEscaped = (json: Uint8Array, at: number): boolean => {
  let slashes = 0
  while (json[at - 1 - slashes] === backslash) slashes += 1
  return slashes % 2 === 1
}
