import { Effect, Schema } from "effect"
import { isIPv6, type LookupFunction } from "node:net"
import type { Environment } from "../../domain/Organization.ts"
import { Resolver } from "./Resolver.ts"
import { hostOf, problemWithAddress, problemWithUrl } from "./TargetPolicy.ts"

/** A request must not, or cannot, be sent to the current addresses of its URL. */
export class TargetRefused extends Schema.TaggedError<TargetRefused>()("TargetRefused", {
  reason: Schema.String
}) {}

/** The target of a connection: a URL, and the checked addresses to which its host is pinned. */
export interface Target {
  readonly url: URL
  /** The host as `node:http` takes it: an IP address without brackets, or a name. */
  readonly host: string
  /** Resolves to the checked addresses only. Not used for a host that is itself an address, which has been checked. */
  readonly lookup: LookupFunction
}

/**
 * Resolves the host of a URL once, and checks all addresses: one that is not allowed refuses the whole name. The
 * connection uses this result, which prevents DNS rebinding.
 */
export const targetOf = Effect.fn("Outbound.resolveTarget")(function* (
  address: string,
  environment: Environment
) {
  const refusal = problemWithUrl(address, environment)
  if (refusal !== undefined) return yield* new TargetRefused({ reason: refusal })
  const url = new URL(address)
  const { host, kind } = hostOf(url)
  if (kind === "address") return { url, host, lookup: pinnedTo([host]) } satisfies Target
  const resolver = yield* Resolver
  const addresses = yield* Effect.mapError(
    resolver.resolve(host),
    ({ code }) => new TargetRefused({ reason: `${host} has no address (${code})` })
  )
  const problem = addresses.map((found) => problemWithAddress(found, environment)).find(isText)
  if (problem !== undefined) return yield* new TargetRefused({ reason: `${host}: ${problem}` })
  return { url, host, lookup: pinnedTo(addresses) } satisfies Target
})

const isText = (problem: string | undefined) => problem !== undefined

const pinnedTo = (addresses: ReadonlyArray<string>): LookupFunction => {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, done) => {
    const [first] = entries
    if (options.all === true) done(null, entries)
    else done(null, first?.address ?? "", first?.family ?? 4)
  }
}
