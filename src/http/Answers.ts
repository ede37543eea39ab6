import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { encodeJson } from "../support/JsonSlices.ts"
import { defined } from "../support/Defined.ts"
import type { Execution } from "../domain/Execution.ts"
import type { BodyRefused } from "./BodyRefused.ts"

/** An error response that belongs to no endpoint: unknown path, wrong method, wrong content type, body too large. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
  details?: object
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error: { code, message, ...defined({ details }) } }, { status, headers })

/** The response to a method that a path does not have. */
export const methodRefused = (method: string, allowed: ReadonlyArray<string>) =>
  errorAnswer(405, "INVALID_INPUT", `${method} is not allowed here: use ${allowed.join(", ")}`, {
    allow: allowed.join(", ")
  })

/**
 * The response that shows an execution. It is not compared with its schema, which would cost as much as writing it: the type
 * of an execution is that of the schema, and rows of the database are decoded when they are read.
 */
export const executionAnswer = (execution: Execution) =>
  Effect.map(
    encodeJson(execution, (part) => JSON.stringify(part)),
    (bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })
  )

/** The response to a refused body. If the rest of it is not read, the connection cannot be used again. */
export const bodyRefusedAnswer = ({ code, details, message, status }: BodyRefused) =>
  Effect.succeed(errorAnswer(status, code, message, headersOf(status), details))

const headersOf = (status: number): { readonly [name: string]: string } => {
  if (status === 503) return { "retry-after": "1" }
  return status === 422 ? {} : { connection: "close" }
}

/** Says that the response is about an execution that an earlier identical request created. */
export const replayedHeader = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "idempotent-replayed", "true"))
)
