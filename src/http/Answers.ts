import { HttpServerResponse } from "effect/http"

/** An error answer that is no row of an endpoint: unknown path, wrong method, wrong content type, too large a body. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: { readonly [name: string]: string } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error: { code, message } }, { status, headers })
