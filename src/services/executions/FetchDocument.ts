import { Effect, Schema } from "effect"
import type { Environment } from "../../domain/Organization.ts"
import { Outbound } from "../../providers/outbound/Outbound.ts"

/** Why a document could not be fetched; the reason contains nothing that the server sent. */
export class NotFetched extends Schema.TaggedError<NotFetched>()("NotFetched", { reason: Schema.String }) {}

/** A fetched document. */
export interface FetchedDocument {
  readonly bytes: Uint8Array
  /** The last segment of the URL's path, if there is one. */
  readonly filename?: string
}

/** The time limit of a fetch, from the connection to the last byte. */
const limit = "30 seconds"

const nameIn = (url: string): string | undefined => {
  const part = URL.parse(url)?.pathname.split("/").at(-1) ?? ""
  try {
    return part === "" ? undefined : decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Fetches a document through the outbound guard: from public addresses only (test keys: loopback, too), without following
 * redirects, within 30 seconds and up to `mostBytes`.
 */
export const fetchDocument = Effect.fn("fetchDocument")(
  function* (url: string, environment: Environment, mostBytes: number) {
    const outbound = yield* Outbound
    const answer = yield* outbound.send({
      method: "GET",
      url,
      environment,
      headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "docflow" }
    })
    if (answer.status >= 300 && answer.status < 400)
      return yield* new NotFetched({
        reason: "the server redirects, which is not followed; use the final address"
      })
    if (answer.status !== 200)
      return yield* new NotFetched({ reason: `the server answered ${answer.status}` })
    const { bytes, isWhole } = yield* answer.read(mostBytes)
    if (!isWhole) return yield* new NotFetched({ reason: `it is larger than ${mostBytes} bytes` })
    const filename = nameIn(url)
    return (filename === undefined ? { bytes } : { bytes, filename }) satisfies FetchedDocument
  },
  Effect.scoped,
  Effect.timeoutOrElse({
    duration: limit,
    orElse: () => Effect.fail(new NotFetched({ reason: `it took longer than ${limit}` }))
  }),
  Effect.catchTag(["OutboundRefused", "OutboundFailed"], ({ reason }) =>
    Effect.fail(new NotFetched({ reason }))
  )
)

/** `fetchDocument` with the current outbound port. */
export const documentFetcher = Effect.map(
  Outbound,
  (outbound) => (url: string, environment: Environment, mostBytes: number) =>
    Effect.provideService(fetchDocument(url, environment, mostBytes), Outbound, outbound)
)
