import { Effect } from "effect"

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
