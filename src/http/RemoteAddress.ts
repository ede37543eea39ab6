import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"

/** The address that the request comes from, as a trusted proxy forwarded it. */
export const remoteAddress = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
  Option.getOrElse(request.remoteAddress, () => "unknown")
)
