import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Forbidden } from "../domain/Errors.ts"

/** The header of every request that changes something: browsers do not let another site send it without a preflight. */
const markHeader = "x-docflow-dashboard"

const harmless = new Set(["GET", "HEAD"])

/** Refuses a request that a page of another site made, whatever cookie it carries. */
export const requireSameOrigin = Effect.gen(function* () {
  if (isFromHere(yield* HttpServerRequest.HttpServerRequest)) return
  return yield* new Forbidden({ message: "The request does not come from a page of this dashboard" })
})

const isFromHere = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const site = request.headers["sec-fetch-site"]
  // Browsers say which site made a request if they trust the address (HTTPS, or this computer).
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  if (harmless.has(request.method)) return true
  return request.headers[markHeader] !== undefined && (site === "same-origin" || isOwnOrigin(request.headers))
}

/** Whether the origin is the address that was called, as a browser or a trusted proxy names it. */
const isOwnOrigin = ({ host, origin }: HttpServerRequest.HttpServerRequest["headers"]) =>
  origin !== undefined && URL.parse(origin)?.host === host
