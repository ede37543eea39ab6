import { Effect, Predicate, Result, Schema } from "effect"
import { InvalidInput, ValidationFailed } from "../domain/Errors.ts"
import { ReplayRequest } from "../domain/Replay.ts"
import { RunRequest } from "../domain/RunRequest.ts"
import { describeIssue } from "./SchemaIssues.ts"

/** The largest metadata, in bytes of JSON. */
const maxMetadataBytes = 16_384

const decode = Schema.decodeUnknownResult(RunRequest)
const decodeReplay = Schema.decodeUnknownResult(ReplayRequest)

/**
 * Reads the body of a run. What the API itself needs and lacks (`input`, `input.document`, `input.document.base64`) is
 * `INVALID_INPUT`; any other field that is wrong is `VALIDATION_ERROR` and names the field.
 */
export const readRunRequest = (body: unknown): Effect.Effect<RunRequest, InvalidInput | ValidationFailed> => {
  const missing = missingPart(body)
  if (missing !== undefined) return missing
  const badText = findBadText(body, [])
  if (badText !== undefined) return invalid(badText, "it holds U+0000 or an unpaired surrogate")
  const request = decode(body)
  if (Result.isFailure(request)) return new ValidationFailed(describeIssue(request.failure.issue))
  const { metadata } = request.success
  return metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes
    ? invalid("metadata", `it is larger than ${maxMetadataBytes} bytes of JSON`)
    : Effect.succeed(request.success)
}

/** Reads the body of a replay; `undefined` when there was none. A field that is wrong is `VALIDATION_ERROR`. */
export const readReplayRequest = (
  body: unknown
): Effect.Effect<ReplayRequest, InvalidInput | ValidationFailed> => {
  if (body === undefined) return Effect.succeed({})
  if (!isJsonObject(body)) return needed("Request body must be a JSON object", "")
  const badText = findBadText(body, [])
  if (badText !== undefined) return invalid(badText, "it holds U+0000 or an unpaired surrogate")
  const request = decodeReplay(body)
  return Result.isSuccess(request)
    ? Effect.succeed(request.success)
    : new ValidationFailed(describeIssue(request.failure.issue))
}

const member = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const missingPart = (body: unknown): InvalidInput | undefined => {
  if (!isJsonObject(body)) return needed("Request body must be a JSON object", "")
  const input = member(body, "input")
  if (!isJsonObject(input)) return needed("Input is required", "input")
  const document = member(input, "document")
  if (!isJsonObject(document)) return needed("Document is required", "input.document")
  const base64 = member(document, "base64")
  return typeof base64 !== "string" || base64 === ""
    ? needed("Document base64 data is required", "input.document.base64")
    : undefined
}

const isJsonObject = (value: unknown): boolean => Predicate.isObject(value) && !Array.isArray(value)

const needed = (message: string, field: string) =>
  new InvalidInput(field === "" ? { message } : { message, details: { field, reason: "required" } })

const invalid = (field: string, reason: string) =>
  new ValidationFailed({ message: `Invalid ${field}: ${reason}`, details: { field, reason } })

/** The path of the first string or member name that PostgreSQL could not keep. */
const findBadText = (value: unknown, path: ReadonlyArray<string>): string | undefined => {
  if (typeof value === "string") return isBadText(value) ? path.join(".") : undefined
  if (!Predicate.isObjectOrArray(value)) return undefined
  for (const [name, part] of Object.entries(value)) {
    if (isBadText(name)) return path.join(".") || "body"
    const found = findBadText(part, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

const isBadText = (text: string): boolean => text.includes("\u0000") || !text.isWellFormed()
