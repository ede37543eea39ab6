import { Context, Effect, Redacted, Result } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { statusForCode } from "../api/ErrorEnvelope.ts"
import { RequiredScope } from "../api/Gate.ts"
import type { Scope } from "../domain/ApiKey.ts"
import { Admission } from "./Admission.ts"
import { errorAnswer, methodRefused } from "./Answers.ts"
import { pathsOfGet } from "./Operations.ts"

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly scope: Scope | undefined
}

/** The paths of the service, each `:name` matching one segment, which the match has under that name. */
const routes = (): ReadonlyArray<Route> => {
  const found: Array<Route> = pathsOfGet.map((path) => ({
    method: "GET",
    pattern: new RegExp(`^${path.replaceAll(".", String.raw`\.`)}$`, "u"),
    scope: undefined
  }))
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const pattern = endpoint.path.replaceAll(/:([A-Za-z]+)/gu, "(?<$1>[^/]+)")
      found.push({
        method: endpoint.method,
        pattern: new RegExp(`^${pattern}$`, "u"),
        scope: Context.get(endpoint.annotations, RequiredScope)
      })
    }
  })
  return found
}

/**
 * Answers every request without a route, in the API's envelope: 404, or 405 with the allowed methods. Not a route
 * itself, because undecodable paths and unknown methods match no route.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const admission = yield* Admission
    const known = routes()

    const answerUnrouted = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const path = request.url.split("?")[0] ?? ""
      const found = known.filter(({ pattern }) => pattern.test(path))
      if (request.url.startsWith("/api/v1")) {
        const credential = yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)
        const scope = found.find(({ method }) => method === request.method)?.scope
        yield* admission.admit(Redacted.make(Redacted.value(credential)), scope, Effect.succeed)
      }
      return answer(request.method, path, found)
    }).pipe(
      Effect.provideService(HttpServerRequest.ParsedSearchParams, {}),
      Effect.catch(({ _tag, message }) => Effect.succeed(errorAnswer(statusForCode(_tag), _tag, message)))
    )

    return (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        isCut(url)
          ? answerUnrouted
          : Effect.catch(httpEffect, (error) => (isUnrouted(error) ? answerUnrouted : Effect.fail(error)))
      )
  }),
  { global: true }
)

/** 405 with the methods that `found` allows, or 404. */
const answer = (
  method: string,
  path: string,
  found: ReadonlyArray<Route>
): HttpServerResponse.HttpServerResponse => {
  const allowed: ReadonlyArray<string> = found.map((route) => route.method)
  // The router knows the path but did not match it: a part of it cannot be decoded.
  const known = found.find((route) => route.method === method)
  if (known !== undefined) return nothingNamed(path, known.pattern.exec(path)?.groups ?? {})
  return allowed.length === 0
    ? errorAnswer(404, "INVALID_INPUT", `There is nothing at ${path.slice(0, 200)}`)
    : methodRefused(method, allowed)
}

/** The response of an endpoint to a part of its path that the router does not read, such as `%E0%A4%A`: nothing has such an id. */
const nothingNamed = (
  path: string,
  names: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  if (!path.startsWith("/api/v1/"))
    return errorAnswer(404, "INVALID_INPUT", `No such id: ${path.slice(0, 200)}`)
  const parts = Object.entries(names)
  const [name = "", value = ""] =
    parts.find(([, part]) => endOfPath.test(part) || !isDecodable(part)) ?? parts[0] ?? []
  const shown = value.slice(0, 200)
  if (name === "flowId") return errorAnswer(404, "FLOW_NOT_FOUND", `Flow not found: ${shown}`)
  if (name === "executionId" || name === "otherId")
    return errorAnswer(404, "EXECUTION_NOT_FOUND", `Execution not found: ${shown}`)
  const reason = isDecodable(value) ? "write ; as %3B and # as %23" : `${shown} cannot be decoded`
  return errorAnswer(400, "INVALID_INPUT", `Invalid ${name}: ${reason}`, {}, { field: name, reason })
}

const isDecodable = (part: string): boolean => Result.isSuccess(Result.try(() => decodeURIComponent(part)))

/** The characters from which on the router ignores a path. */
const endOfPath = /[;#]/u

/** Whether the router would ignore the end of a path of the API, as in `/api/v1/flows/invoice;x=1`. */
const isCut = (url: string): boolean => url.startsWith("/api/") && endOfPath.test(url.split("?", 1)[0] ?? "")

/** Whether the router has no route for a request. */
export const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
