import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/**
 * The network by which a caller is counted: an IPv4 address, or the /64 of an IPv6 address, because a single host usually has a
 * whole /64 to choose its address from.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split("%")[0]}/64`).toString()}/64`
}

/** The network that the request comes from, as a trusted proxy forwarded its address. */
export const remoteNetwork = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  Option.match(remoteAddress, { onNone: () => "unknown", onSome: networkOf })
)
