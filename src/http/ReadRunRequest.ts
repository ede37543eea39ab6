import { Effect, Predicate, Result, Schema } from "effect"
import { SaveOutputCorrections } from "../domain/OutputCorrections.ts"
import { editDistance } from "../support/EditDistance.ts"
import { defined } from "../support/Defined.ts"
import { InvalidInput, ValidationFailed } from "../domain/Errors.ts"
import { ReplayRequest } from "../domain/Replay.ts"
import { maxMetadataBytes, type ReceivedRun, RunRequest } from "../domain/RunRequest.ts"
import { memberOf, type RunBody } from "./RunBody.ts"
import { describeIssue, isMissing } from "./SchemaIssues.ts"

const decode = Schema.decodeUnknownResult(RunRequest)
const decodeCorrections = Schema.decodeUnknownResult(SaveOutputCorrections)
const decodeReplay = Schema.decodeUnknownResult(ReplayRequest)

/**
 * Reads the body of a run. A missing field of the API itself (`input`, `input.document`, `input.document.base64`) is
 * `INVALID_INPUT`; any other wrong field is `VALIDATION_ERROR` with its name.
 */
export const readRunRequest = (
  body: RunBody,
  maxVariablesBytes: number
): Effect.Effect<ReceivedRun, InvalidInput | ValidationFailed> => {
  const missing = misspelledKey(body.json) ?? missingPart(body)
  if (missing !== undefined) return missing
  const unkept = findUnkept(body.json)
  if (unkept !== undefined) return invalid(unkept.field, unkept.reason)
  const request = decode(body.json)
  if (Result.isFailure(request)) return new ValidationFailed(describeIssue(request.failure.issue))
  const { input, metadata } = request.success
  return (
    tooLarge("input.variables", input.variables, maxVariablesBytes) ??
    tooLarge("metadata", metadata, maxMetadataBytes) ??
    Effect.succeed({ ...request.success, ...defined({ decoded: body.document }) })
  )
}

/** Whether a value is too large. Its size as sent is limited before parsing, so measuring it takes little time. */
const tooLarge = (field: string, value: unknown, most: number): ValidationFailed | undefined =>
  value !== undefined && Buffer.byteLength(JSON.stringify(value)) > most
    ? invalid(field, `it is larger than ${most} bytes of JSON`)
    : undefined

/** Reads a body that must be a JSON object. A missing field is `INVALID_INPUT`, a wrong one `VALIDATION_ERROR`. */
const readObject =
  <A>(decode: (body: unknown) => Result.Result<A, Schema.SchemaError>) =>
  (body: unknown): Effect.Effect<A, InvalidInput | ValidationFailed> => {
    if (!isJsonObject(body)) return needed("Request body must be a JSON object", "")
    const unkept = findUnkept(body)
    if (unkept !== undefined) return invalid(unkept.field, unkept.reason)
    const request = decode(body)
    if (Result.isSuccess(request)) return Effect.succeed(request.success)
    const issue = describeIssue(request.failure.issue)
    return isMissing(issue) ? new InvalidInput(issue) : new ValidationFailed(issue)
  }

const readReplay = readObject(decodeReplay)

/** Reads the body of a replay, which is optional. A field that is wrong is `VALIDATION_ERROR`. */
export const readReplayRequest = (
  body: unknown
): Effect.Effect<ReplayRequest, InvalidInput | ValidationFailed> =>
  body === undefined ? Effect.succeed({}) : readReplay(body)

/** Reads the body of corrections. A missing field is `INVALID_INPUT`, a wrong one `VALIDATION_ERROR`. */
export const readCorrections: (
  body: unknown
) => Effect.Effect<SaveOutputCorrections, InvalidInput | ValidationFailed> = readObject(decodeCorrections)

/** The objects of a run whose keys are known, by their path. */
const knownKeys: ReadonlyArray<readonly [path: string, keys: ReadonlyArray<string>]> = [
  ["", Object.keys(RunRequest.fields)],
  ["input", Object.keys(RunRequest.fields.input.fields)],
  ["input.document", [...Object.keys(RunRequest.fields.input.fields.document.fields), "url"]]
]

/**
 * An unknown key that differs from a known one by case, `_`, `-` or two letters (one in a short name). Other unknown keys are
 * ignored.
 */
const misspelledKey = (json: unknown): InvalidInput | undefined => {
  for (const [path, known] of knownKeys) {
    const object = path === "" ? json : path.split(".").reduce(memberOf, json)
    if (!Predicate.isObject(object)) continue
    for (const key of Object.keys(object)) {
      const meant = known.includes(key) ? undefined : known.find((name) => isNearly(key, name))
      if (meant === undefined) continue
      const field = path === "" ? key : `${path}.${key}`
      const reason = `Did you mean \`${meant}\`?`
      return new InvalidInput({ message: `Unknown field ${field}. ${reason}`, details: { field, reason } })
    }
  }
  return undefined
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[_-]/gu, "")

const isNearly = (key: string, name: string): boolean => {
  if (key.length > 2 * name.length) return false
  return editDistance(plain(key), plain(name)) <= (name.length > 4 ? 2 : 1)
}

const missingPart = ({ document: decoded, json }: RunBody): InvalidInput | undefined => {
  if (!isJsonObject(json)) return needed("Request body must be a JSON object", "")
  const input = memberOf(json, "input")
  if (!isJsonObject(input)) return neededObject("Input", "input", input)
  const document = memberOf(input, "document")
  if (!isJsonObject(document)) return neededObject("Document", "input.document", document)
  const base64 = memberOf(document, "base64")
  const field = "input.document.base64"
  if (isAbsent(base64)) return needed("Document base64 data is required", field)
  if (typeof base64 !== "string") return wrong(field, "must be a string, the document in base64")
  if (base64 !== "" || (decoded !== undefined && decoded.length > 0)) return undefined
  return decoded === undefined
    ? needed("Document base64 data is required", field)
    : wrong("input.document", "the file is empty; send a file with content")
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const neededObject = (name: string, field: string, value: unknown) =>
  isAbsent(value) ? needed(`${name} is required`, field) : wrong(field, "must be an object")

/** A field of the API itself that has another type. */
const wrong = (field: string, reason: string) =>
  new InvalidInput({ message: `Invalid ${field}: ${reason}`, details: { field, reason } })

const isJsonObject = (value: unknown): boolean => Predicate.isObject(value) && !Array.isArray(value)

const needed = (message: string, field: string) =>
  new InvalidInput(field === "" ? { message } : { message, details: { field, reason: "required" } })

const invalid = (field: string, reason: string) =>
  new ValidationFailed({ message: `Invalid ${field}: ${reason}`, details: { field, reason } })

interface Unkept {
  readonly field: string
  readonly reason: string
}

const badText = "it holds U+0000 or an unpaired surrogate"
const badNumber =
  "it is a number that cannot be kept exactly: an integer beyond ±9007199254740991, or larger than any number; send it as a string"

/** Finds the first string, member name or number that would not be returned as it was sent, and its path. */
const findUnkept = (value: unknown): Unkept | undefined => {
  const path: Array<string> = []
  const reason = reasonWithin(value, path)
  return reason === undefined ? undefined : { field: path.reverse().join(".") || "body", reason }
}

/** Why a value is not stored exactly; adds the names that lead to it to `path`, the innermost first. */
const reasonWithin = (value: unknown, path: Array<string>): string | undefined => {
  if (typeof value === "string") return isBadText(value) ? badText : undefined
  if (typeof value === "number") return isExact(value) ? undefined : badNumber
  if (!Predicate.isObjectOrArray(value)) return undefined
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    if (isBadText(name)) return badText
    const reason = reasonWithin(Reflect.get(value, name), path)
    if (reason === undefined) continue
    path.push(name)
    return reason
  }
  return undefined
}

const isBadText = (text: string): boolean => text.includes("\u0000") || !text.isWellFormed()

/** Whether JavaScript represents a number of JSON exactly: `1e400` becomes Infinity, 2^53 + 1 becomes its neighbour. */
const isExact = (number: number): boolean =>
  Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number))
