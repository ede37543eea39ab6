import { Effect, Result } from "effect"
import { type JsonBounds, jsonExcess } from "../support/JsonDepth.ts"
import type { JsonExcess } from "../support/KnownMembers.ts"
import { type BodyRefused, refuseBody, refuseField } from "./BodyRefused.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Larger bodies are handled in several turns of the event loop, so that other requests do not wait. */
const largeBytes = 1024 * 1024

/** The part of the body that is parsed, if it is not the whole. */
interface Piece {
  /** Its name in the message of a refusal. */
  readonly what: string
  /** The part with the objects around it, to which the paths of the limits refer. */
  readonly whole: Uint8Array
}

/** Parses JSON that is within the bounds. */
export const parseJson = Effect.fnUntraced(function* (
  bytes: Uint8Array,
  bounds: JsonBounds,
  { what, whole }: Piece = { what: "The body", whole: bytes }
) {
  const excess = jsonExcess(whole, bounds)
  if (excess !== undefined) return yield* refuseExcess(excess, bounds)
  return yield* parseScanned(bytes, what)
})

/** Parses JSON that was scanned and is within its bounds. */
export const parseScanned = Effect.fnUntraced(function* (bytes: Uint8Array, what: string) {
  const othersFirst = bytes.length > largeBytes ? Effect.yieldNow : Effect.void
  yield* othersFirst
  const parsed = Result.try({
    try: (): unknown => JSON.parse(utf8.decode(bytes)),
    catch: () => refuseBody(400, `${what} is not valid JSON`)
  })
  yield* othersFirst
  return yield* Effect.fromResult(parsed)
})

/** The refusal of JSON that exceeds a limit. */
export const refuseExcess = (excess: JsonExcess, { values }: JsonBounds): BodyRefused => {
  switch (excess.of) {
    case "depth":
      return refuseBody(400, "The JSON is nested too deeply: at most 64 levels are allowed")
    case "values":
      return refuseBody(400, `The JSON has too many values: at most ${values} are allowed`)
    case "bytes":
      return refuseField(excess.in.path, `it is larger than ${excess.in.bytes} bytes as it is sent`)
    case "members":
      return refuseField(excess.in.path, `it has more than ${excess.in.members} keys`)
  }
}
