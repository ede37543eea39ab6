import { Effect, Predicate, Result } from "effect"
import { MultipartParser } from "effect/http"
import { defined } from "../support/Defined.ts"
import type { JsonBounds } from "../support/JsonDepth.ts"
import { type BodyRefused, refuseBody, refuseField } from "./BodyRefused.ts"
import { parseJson } from "./ParseJson.ts"
import type { RunBody } from "./RunBody.ts"

/** A part of a form: its bytes, and for a file its name and type. */
interface Part {
  readonly bytes: Uint8Array
  readonly filename: string | undefined
  readonly mimeType: string | undefined
}

const jsonParts = ["input", "metadata", "webhookEvents"]
const textParts = ["version", "idempotencyKey", "webhookUrl", "webhookSecret"]
const otherParts = ["wait", "timeout"]
const known = ["document", ...jsonParts, ...textParts, ...otherParts]

/** RFC 2046 allows no longer boundary. */
const longestBoundary = 70

/**
 * Reads the body of a run that was sent as `multipart/form-data`: the file is the part `document`, `input`, `metadata`
 * and `webhookEvents` are JSON, every other field of the run is a part of its name.
 */
export const readMultipartRun = Effect.fnUntraced(function* (
  bytes: Uint8Array,
  contentType: string,
  bounds: JsonBounds
) {
  const parts = yield* splitParts(bytes, contentType)
  const unknown = [...parts.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return yield* refuseField(unknown, `unknown part; the parts of a run are ${known.join(", ")}`)
  }
  const fields: Record<string, unknown> = {}
  for (const [name, part] of parts) {
    if (name !== "document") fields[name] = yield* valueOf(name, part.bytes, bounds)
  }
  const document = parts.get("document")
  const input = fields["input"] ?? {}
  if (document === undefined || !Predicate.isObject(input)) {
    return { json: { ...fields, input } } satisfies RunBody
  }
  if (Predicate.hasProperty(input, "document")) {
    return yield* refuseField("input.document", "the part `document` is sent too; send one of them")
  }
  const { bytes: file, filename, mimeType } = document
  const declared = { base64: "", ...defined({ filename, mimeType }) }
  return { json: { ...fields, input: { ...input, document: declared } }, document: file } satisfies RunBody
})

/**
 * Converts a part to JSON. Text that is not a boolean or number remains a string, which is later refused with the name
 * of its field.
 */
const valueOf = (
  name: string,
  bytes: Uint8Array,
  bounds: JsonBounds
): Effect.Effect<unknown, BodyRefused> => {
  if (jsonParts.includes(name)) return jsonOf(name, bytes, bounds)
  const text = new TextDecoder().decode(bytes)
  if (name === "wait") return Effect.succeed(text === "true" || (text === "false" ? false : text))
  return Effect.succeed(
    name === "timeout" && text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : text
  )
}

/** Parses the JSON of a part; its limits are those of its path in the whole body. */
const jsonOf = (name: string, bytes: Uint8Array, bounds: JsonBounds): Effect.Effect<unknown, BodyRefused> =>
  parseJson(bytes, bounds, {
    what: `The part "${name}"`,
    whole: Buffer.concat([Buffer.from(`{"${name}":`), bytes, Buffer.from("}")])
  })

/** The parts of a form by their names. */
const splitParts = (
  bytes: Uint8Array,
  contentType: string
): Effect.Effect<ReadonlyMap<string, Part>, BodyRefused> =>
  Effect.suspend(() => {
    const parts = new Map<string, Part>()
    let problem: string | undefined
    let isDone = false
    const add = (name: string, part: Part) => {
      if (parts.has(name)) problem ??= `the part "${name}" is sent twice`
      parts.set(name, part)
    }
    if ((/boundary="?([^";]*)/iu.exec(contentType)?.[1]?.length ?? 0) > longestBoundary) {
      return refuseForm(`its boundary is longer than ${longestBoundary} characters`)
    }
    const parser = MultipartParser.make({
      headers: { "content-type": contentType },
      isFile: ({ name }) => name === "document",
      maxParts: known.length,
      maxFieldSize: bytes.length,
      onField: ({ name }, value) => add(name, { bytes: value, filename: undefined, mimeType: undefined }),
      onFile: ({ filename, headers, name }) => {
        const chunks: Array<Uint8Array> = []
        const type = headers["content-type"]
        const mimeType = typeof type === "string" ? type : undefined
        return (chunk) => {
          if (chunk === null) add(name, { bytes: Buffer.concat(chunks), filename, mimeType })
          else chunks.push(chunk)
        }
      },
      onError: (error) => {
        problem ??= reasons[error._tag]
      },
      onDone: () => {
        isDone = true
      }
    })
    // The parser throws for a part whose headers do not end.
    const parsed = Result.try(() => {
      parser.write(bytes)
      parser.end()
    })
    if (Result.isFailure(parsed)) return refuseForm(reasons.BadHeaders)
    if (problem === undefined && !isDone) problem = reasons.EndNotReached
    return problem === undefined ? Effect.succeed(parts) : refuseForm(problem)
  })

const refuseForm = (reason: string) => refuseBody(400, `The body is not valid multipart/form-data: ${reason}`)

const reasons = {
  InvalidBoundary: "the Content-Type names no boundary",
  BadHeaders: "the headers of a part are malformed",
  InvalidDisposition: "a part has no Content-Disposition with a name",
  ReachedLimit: `it has more than ${known.length} parts`,
  EndNotReached: "its last boundary is missing"
} as const
