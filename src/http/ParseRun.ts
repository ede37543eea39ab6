import { Effect } from "effect"
import { type JsonBounds, scanJson } from "../support/JsonDepth.ts"
import type { StringPlace } from "../support/KnownMembers.ts"
import { parseScanned, refuseExcess } from "./ParseJson.ts"
import { memberOf, type RunBody } from "./RunBody.ts"

/** The length of base64 that is made a string at once: short enough for V8's young generation, which costs least. */
const pieceLength = 64 * 1024
/** After so many pieces, other requests take their turn. */
const piecesInATurn = 16

const minus = 0x2d
const underscore = 0x5f
const equals = 0x3d

/**
 * Decodes base64 (RFC 4648, section 4: with padding and without white space) that is still in the bytes of a body, without a
 * string of its length. Undefined if it is anything else.
 */
export const decodeBase64 = Effect.fnUntraced(function* (text: Buffer) {
  if (text.length % 4 !== 0 || text.includes(minus) || text.includes(underscore)) return undefined
  const decoded = Buffer.allocUnsafeSlow((text.length / 4) * 3 - paddingOf(text))
  let length = 0
  for (let start = 0, turn = 1; start < text.length; start += pieceLength, turn++) {
    const piece = text.toString("latin1", start, Math.min(start + pieceLength, text.length))
    const expected = Math.min((pieceLength / 4) * 3, decoded.length - length)
    // The decoder skips what is not base64, so that something is missing then.
    if (decoded.write(piece, length, "base64") !== expected) return undefined
    length += expected
    if (turn % piecesInATurn === 0) yield* Effect.yieldNow
  }
  return decoded
})

const paddingOf = (text: Uint8Array): number => {
  if (text.at(-1) !== equals) return 0
  return text.at(-2) === equals ? 2 : 1
}

const what = "The body"
const path = ["input", "document", "base64"]

/** Shorter documents, in bytes of base64, are parsed with the rest: that costs less. */
const short = 16 * 1024
/** No prefix of a data URL is longer, in bytes. */
const longestPrefix = 1024

/**
 * Parses the JSON of a run that is within the bounds. A document is cut out and decoded first: as a string of JSON it would be
 * copied twice more, each time into new memory. One that is not plain base64 remains where it is, and is refused later.
 */
export const parseRun = Effect.fnUntraced(function* (bytes: Buffer, bounds: JsonBounds) {
  const { excess, sought } = scanJson(bytes, bounds, path.join("."))
  if (excess !== undefined) return yield* refuseExcess(excess, bounds)
  const place = sought === undefined ? undefined : placeOfBase64(bytes, sought)
  const document =
    place === undefined ? undefined : yield* decodeBase64(bytes.subarray(place.start, place.end))
  if (place === undefined || document === undefined) return { json: yield* parseScanned(bytes, what) }
  const rest = Buffer.concat([bytes.subarray(0, place.start), bytes.subarray(place.end)])
  const json = yield* parseScanned(rest, what)
  // The scan may have found a member that another one of the same name replaces, or one in an array.
  const isCut = typeof path.reduce(memberOf, json) === "string"
  if (!isCut) return { json: yield* parseScanned(bytes, what) }
  return { json, document } satisfies RunBody
})

/** Where the base64 in a string begins and ends, after the prefix of a data URL; undefined if it is short. */
const placeOfBase64 = (bytes: Buffer, { end, start }: StringPlace): StringPlace | undefined => {
  const first = start + 1
  if (end - first < short) return undefined
  const isDataUrl = bytes.toString("latin1", first, first + 5).toLowerCase() === "data:"
  if (!isDataUrl) return { start: first, end }
  const comma = bytes.subarray(first, first + longestPrefix).indexOf(",")
  return comma === -1 ? undefined : { start: first + comma + 1, end }
}
