import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { BodyRefused } from "./JsonBody.ts"

/** An error answer that is no row of an endpoint: unknown path, wrong method, wrong content type, too large a body. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: { readonly [name: string]: string } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error: { code, message } }, { status, headers })

/** The answer to a body that cannot be taken. The rest of it is not read, so the connection is of no more use. */
export const bodyRefusedAnswer = ({ code, message, status }: BodyRefused) =>
  Effect.succeed(
    errorAnswer(status, code, message, status === 503 ? { "retry-after": "1" } : { connection: "close" })
  )

/** Says that the answer is about an execution that the same request made before. */
export const replayedHeader = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "idempotent-replayed", "true"))
)
