import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { Caller, Scope } from "../domain/ApiKey.ts"
import {
  Forbidden,
  InternalError,
  InvalidApiKey,
  InvalidInput,
  RateLimited,
  ServiceUnavailable,
  Unauthorized
} from "../domain/Errors.ts"
import type { Person } from "../domain/User.ts"
import { envelope } from "./ErrorEnvelope.ts"

/** The scope that an endpoint requires, as an annotation of the endpoint. */
export const RequiredScope = Context.Reference<Scope | undefined>("docflow/api/RequiredScope", {
  defaultValue: () => undefined
})

/** The caller of the request, once it has passed the gate. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("docflow/api/CurrentCaller") {}

/**
 * The gate of the public API. Authenticates a key, counts against the rate limit and checks the scope, in this order; without a
 * key, the session of a person whose role allows the endpoint.
 */
export class Gate extends HttpApiMiddleware.Service<Gate, { provides: CurrentCaller }>()("docflow/api/Gate", {
  requiredForClient: true,
  security: { bearer: HttpApiSecurity.bearer },
  error: [
    envelope(Unauthorized),
    envelope(InvalidApiKey),
    envelope(Forbidden),
    envelope(RateLimited),
    envelope(ServiceUnavailable),
    envelope(InternalError)
  ]
}) {}

/** The person who calls the administration API; the admin token is an administrator who is no user. */
export class CurrentPerson extends Context.Service<CurrentPerson, Person>()("docflow/api/CurrentPerson") {}

/** The gate of the administration API: the admin token, or a session of the dashboard or a user, whose role decides. */
export class AdminGate extends HttpApiMiddleware.Service<AdminGate, { provides: CurrentPerson }>()(
  "docflow/api/AdminGate",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: [
      envelope(Unauthorized),
      envelope(Forbidden),
      envelope(RateLimited),
      envelope(ServiceUnavailable),
      envelope(InternalError)
    ]
  }
) {}

/** The maximum size of a JSON body, in bytes; `undefined` for an endpoint whose handler reads a larger one. An annotation of the endpoint. */
export const BodyLimit = Context.Reference<number | undefined>("docflow/api/BodyLimit", {
  defaultValue: () => 64 * 1024
})

/**
 * Refuses a body that is larger than the endpoint accepts or nested too deeply, before it is parsed, and answers a request that does
 * not match its schema with `INVALID_INPUT`.
 */
export class Contract extends HttpApiMiddleware.Service<Contract>()("docflow/api/Contract", {
  error: envelope(InvalidInput)
}) {}

/** Answers a defect with `INTERNAL_ERROR`. */
export class Defects extends HttpApiMiddleware.Service<Defects>()("docflow/api/Defects", {
  error: [envelope(InternalError), envelope(ServiceUnavailable)]
}) {}
