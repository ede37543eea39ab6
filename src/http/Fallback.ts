import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { statusForCode } from "../api/ErrorEnvelope.ts"
import { Admission } from "./Admission.ts"
import { errorAnswer } from "./Answers.ts"

interface Route {
  readonly method: string
  readonly pattern: RegExp
}

/** The paths of the contract, each `:name` matching one segment. */
const routes = (): ReadonlyArray<Route> => {
  const found: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const pattern = endpoint.path.replaceAll(/:[A-Za-z]+/gu, "[^/]+")
      found.push({ method: endpoint.method, pattern: new RegExp(`^${pattern}$`, "u") })
    }
  })
  return found
}

/**
 * Answers every request that no route takes, in the API's envelope: 404, or 405 with the methods that are allowed. Not a
 * route itself: a path that cannot be decoded or a method that nobody knows would pass it by.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const admission = yield* Admission
    const known = routes()

    const answer = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
      const path = request.url.split("?")[0] ?? ""
      const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
      return allowed.length === 0 || allowed.includes(request.method)
        ? errorAnswer(404, "INVALID_INPUT", `There is nothing at ${path.slice(0, 200)}`)
        : errorAnswer(
            405,
            "INVALID_INPUT",
            `${request.method} is not allowed here: use ${allowed.join(", ")}`,
            {
              allow: allowed.join(", ")
            }
          )
    }

    const answerUnrouted = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.url.startsWith("/api/v1")) {
        const credential = yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)
        yield* admission.admit(Redacted.make(Redacted.value(credential)), undefined)
      }
      return answer(request)
    }).pipe(
      Effect.provideService(HttpServerRequest.ParsedSearchParams, {}),
      Effect.catch(({ _tag, message }) => Effect.succeed(errorAnswer(statusForCode(_tag), _tag, message)))
    )

    return (httpEffect) =>
      Effect.catch(httpEffect, (error) => (isUnrouted(error) ? answerUnrouted : Effect.fail(error)))
  }),
  { global: true }
)

const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
