import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { defined } from "../domain/Defined.ts"
import type { BodyRefused } from "./BodyRefused.ts"

/** An error answer that is no row of an endpoint: unknown path, wrong method, wrong content type, too large a body. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
  details?: object
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error: { code, message, ...defined({ details }) } }, { status, headers })

/** The answer to a body that cannot be taken. If the rest of it is not read, the connection is of no more use. */
export const bodyRefusedAnswer = ({ code, details, message, status }: BodyRefused) =>
  Effect.succeed(errorAnswer(status, code, message, headersOf(status), details))

const headersOf = (status: number): { readonly [name: string]: string } => {
  if (status === 503) return { "retry-after": "1" }
  return status === 422 ? {} : { connection: "close" }
}

/** Says that the answer is about an execution that the same request made before. */
export const replayedHeader = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "idempotent-replayed", "true"))
)
