import { Effect } from "effect"
import { canonicalType } from "../../document/formats/Formats.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import type { ReceivedRun } from "../../domain/RunRequest.ts"

/** The bytes of a document as the caller sent them, and the type that was declared. */
export interface SentDocument {
  readonly bytes: Uint8Array
  readonly filename: string | undefined
  readonly declaredType: string | undefined
  /** Where the base64 text is wrong, if it is. */
  readonly problem: string | undefined
}

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),/iu
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/u

/** Decodes the document of a run. Invalid base64 becomes a `problem`, which is reported in due order. */
export const decodeDocument = ({ decoded, input: { document } }: ReceivedRun): SentDocument => {
  const prefix = dataUrl.exec(document.base64)
  const isBase64 = prefix === null || /;base64$/iu.test(prefix[2] ?? "")
  const { bytes, problem } =
    decoded === undefined
      ? fromBase64(document.base64.slice(prefix?.[0].length ?? 0))
      : { bytes: decoded, problem: undefined }
  return {
    bytes,
    filename: document.filename,
    declaredType: mediaType(document.mimeType ?? prefix?.[1]),
    problem: isBase64 ? problem : "the data URL is not a base64 one"
  }
}

const fromBase64 = (text: string) => {
  const bytes = Buffer.from(text, "base64")
  return { bytes, problem: base64Problem(text, bytes.length) }
}

/** A MIME type without parameters, in lower case, under its usual name. `application/octet-stream` declares nothing. */
const mediaType = (declared: string | undefined): string | undefined => {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? ""
  return type === "" || type === "application/octet-stream" ? undefined : canonicalType(type)
}

/**
 * The decoder skips invalid characters, so the length shows whether there were any; it also accepts the URL-safe
 * alphabet.
 */
const base64Problem = (text: string, decoded: number): string | undefined => {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const isWhole = text.length % 4 === 0 && decoded === (text.length / 4) * 3 - padding
  if (isWhole && !text.includes("-") && !text.includes("_")) return undefined
  if (!alphabet.test(text)) {
    const at = text.search(/[^A-Za-z0-9+/]/u)
    return `the character at position ${at} is not base64 (A–Z, a–z, 0–9, +, /, padded with =, no white space)`
  }
  return text.length % 4 === 0
    ? undefined
    : "its length is not a multiple of 4: it is cut off, or padding is missing"
}

/** The rules for a document. */
export interface DocumentRules {
  readonly supportedFormats: ReadonlyArray<string>
  readonly maxFileSizeMB: number
  readonly maxPages: number
}

/** Checks what the caller declared: refuses invalid base64, a type that the flow does not accept, and too many bytes. */
export const checkDeclared = (
  document: SentDocument,
  rules: DocumentRules
): Effect.Effect<void, ValidationFailed> => {
  const { declaredType, problem } = document
  if (problem !== undefined) {
    return refuse("input.document.base64", "Document is not valid base64", problem)
  }
  if (declaredType !== undefined && !rules.supportedFormats.includes(declaredType)) {
    return new ValidationFailed({
      message: `Unsupported document format: ${declaredType}`,
      details: {
        field: "input.document.mimeType",
        reason: `the flow does not take ${declaredType}`,
        supported: rules.supportedFormats
      }
    })
  }
  const limit = rules.maxFileSizeMB * 1024 * 1024
  return document.bytes.length > limit
    ? refuse(
        "input.document.base64",
        `Document is larger than ${rules.maxFileSizeMB} MB`,
        `it has ${document.bytes.length} bytes, at most ${limit} are taken`
      )
    : Effect.void
}

const refuse = (field: string, message: string, reason: string) =>
  new ValidationFailed({ message, details: { field, reason } })
