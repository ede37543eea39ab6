import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { refuseBody } from "./BodyRefused.ts"

/** Refuses a compressed body. */
export const refuseCompressed = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? ""
  if (encoding !== "" && encoding !== "identity")
    return yield* refuseBody(415, `Content-Encoding ${encoding} is not supported. Send the body uncompressed`)
})

/** Whether the request has a body. */
export const hasBody = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) =>
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? "0") !== 0
)
