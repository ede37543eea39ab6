import ipaddr from "ipaddr.js"
import type { Environment } from "../../domain/Organization.ts"

/** Addresses that IANA has allocated as global unicast; all other IPv6 is local, mapped, tunnelled or unused. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Why docflow must not send anything to this URL, judging by its text; undefined if it may. Live keys need `https:` and
 * a host that is not this machine or a private network. Test keys may also use `http:` and loopback.
 *
 * `URL` has normalized every spelling of an IPv4 address (`127.1`, `0x7f.1`, full-width digits …).
 */
export const problemWithUrl = (address: string, environment: Environment): string | undefined => {
  const url = URL.parse(address)
  if (url === null) return "it is not an absolute URL"
  const allowed = environment === "test" ? ["https:", "http:"] : ["https:"]
  if (!allowed.includes(url.protocol)) return `it must start with ${allowed.join(" or ")}`
  if (url.username !== "" || url.password !== "") return "it holds a user name or a password"
  const { host, kind } = hostOf(url)
  if (kind === "address") return problemWithAddress(host, environment)
  if (isLocalhost(host) && environment === "live") return `${host} is this machine, not a public address`
  return undefined
}

/** Addresses of cloud platforms that look public: the metadata and DNS service of Azure, whose virtual machines reach it. */
const platformAddresses: ReadonlySet<string> = new Set(["168.63.129.16"])

/** Why docflow must not send anything to this IP address; undefined if it may. */
export const problemWithAddress = (address: string, environment: Environment): string | undefined => {
  if (!ipaddr.isValid(address)) return "it is not an IP address"
  const parsed = ipaddr.parse(address)
  const range = parsed.range()
  if (range === "loopback" && environment === "test") return undefined
  if (platformAddresses.has(parsed.toNormalizedString())) {
    return `${address} belongs to the cloud platform, not to the public internet`
  }
  const isPublic = range === "unicast" && (parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast))
  return isPublic ? undefined : `${address} is not a public address (${range})`
}

/** The host of a URL: an IP address without brackets, or a name without its final dot. */
export const hostOf = (url: URL): { readonly host: string; readonly kind: "address" | "name" } => {
  const host = url.hostname.replace(/^\[|\]$/gu, "")
  return ipaddr.isValid(host)
    ? { host, kind: "address" }
    : { host: host.replace(/\.$/u, "").toLowerCase(), kind: "name" }
}

/** Whether a name means this machine by definition (RFC 6761), whatever a name server says. */
export const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost")
