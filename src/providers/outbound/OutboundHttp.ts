import * as Http from "node:http"
import * as Https from "node:https"
import { Config, ConfigProvider, Context, Effect, Layer, Option, Redacted, Schema, UndefinedOr } from "effect"
import {
  Outbound,
  type OutboundAnswer,
  type OutboundBody,
  OutboundFailed,
  type OutboundHeader,
  OutboundRefused,
  type OutboundRequest
} from "./Outbound.ts"
import { hostOf, isLocalhost, problemWithAddress, problemWithUrl } from "./TargetPolicy.ts"
import { defined } from "../../support/Defined.ts"
import { isIPv6, type LookupFunction } from "node:net"
import type { Environment } from "../../domain/Organization.ts"
import { Resolver as NodeResolver } from "node:dns/promises"
import type { Description } from "../../config/Setting.ts"

/** The variable with the value of a secret. */
const secretVariable = (name: string): string => `DOCFLOW_SECRET_${name}`

/** The variable with the hosts that may receive a secret. */
const hostsVariable = (name: string): string => `DOCFLOW_HOSTS_${name}`

/** What `docflow serve --help` says about the secrets of `lookup`, whose names are those in the flows. */
export const secretSettingsHelp: ReadonlyArray<Description> = [
  {
    variable: secretVariable("<name>"),
    fallback: "unset",
    about: "value of the secret that `lookup` steps send as `secret: <name>`"
  },
  {
    variable: hostsVariable("<name>"),
    fallback: "none",
    about: "hosts that may receive this secret, separated by commas: crm.example.com,*.example.org"
  }
]

/** A name has no address. */
export class NameNotResolved extends Schema.TaggedError<NameNotResolved>()("NameNotResolved", {
  name: Schema.String,
  code: Schema.String
}) {}

/** Finds the addresses of names. */
export class Resolver extends Context.Service<
  Resolver,
  {
    /** Every address of a name, IPv4 first. */
    resolve(name: string): Effect.Effect<ReadonlyArray<string>, NameNotResolved>
  }
>()("docflow/providers/Resolver") {
  /**
   * Queries the name servers directly. `dns.lookup` would let a slow name server block one of the process's few
   * threads, and with it everything else that needs them.
   */
  static readonly layer = Layer.succeed(
    Resolver,
    Resolver.of({
      resolve: Effect.fn("Resolver.resolve")((name: string) =>
        isLocalhost(name) ? Effect.succeed(["127.0.0.1", "::1"]) : Effect.scoped(ask(name))
      )
    })
  )
}

const ask = Effect.fnUntraced(function* (name: string) {
  const resolver = yield* Effect.acquireRelease(
    Effect.sync(() => new NodeResolver({ timeout: 3_000, tries: 2 })),
    (resolver) => Effect.sync(() => resolver.cancel())
  )
  const answer = (query: () => Promise<ReadonlyArray<string>>) =>
    Effect.tryPromise({ try: query, catch: (cause) => new NameNotResolved({ name, code: codeOf(cause) }) })
  const [four, six] = yield* Effect.all(
    [
      Effect.result(answer(() => resolver.resolve4(name))),
      Effect.result(answer(() => resolver.resolve6(name)))
    ],
    { concurrency: 2 }
  )
  const addresses = [four, six].flatMap((found) => (found._tag === "Success" ? found.success : []))
  if (addresses.length > 0) return addresses
  return yield* four._tag === "Failure" ? four.failure : new NameNotResolved({ name, code: "ENODATA" })
})

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "EUNKNOWN"

/** A request must not, or cannot, be sent to the current addresses of its URL. */
class TargetRefused extends Schema.TaggedError<TargetRefused>()("TargetRefused", {
  reason: Schema.String
}) {}

/** The target of a connection: a URL, and the checked addresses to which its host is pinned. */
interface Target {
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

/** Sends over HTTP/1.1, with a connection for each request; the `Resolver` resolves names. */
export const layerWithoutResolver = Layer.effect(
  Outbound,
  Effect.gen(function* () {
    const resolver = yield* Resolver
    const settings = yield* ConfigProvider.ConfigProvider

    const send = Effect.fn("Outbound.send")(
      function* (request: OutboundRequest) {
        const target = yield* Effect.catchTag(
          targetOf(request.url, request.environment),
          "TargetRefused",
          ({ reason }) => new OutboundRefused({ reason })
        )
        const headers = yield* headersOf(request)
        const sent = yield* Effect.acquireRelease(
          Effect.sync(() => open(target, request, headers)),
          (opened) => Effect.sync(() => opened.destroy())
        )
        const response = yield* Effect.callback<Http.IncomingMessage, OutboundFailed>((resume) => {
          sent.once("response", (begun) => resume(Effect.succeed(begun)))
          sent.once("error", (error) => resume(new OutboundFailed({ reason: describe(error) })))
          sent.end(request.body)
        })
        return answerOf(response)
      },
      Effect.provideService(Resolver, resolver),
      Effect.provideService(ConfigProvider.ConfigProvider, settings)
    )
    return Outbound.of({ send })
  })
)

/** Sends over HTTP/1.1, resolving names at the name servers. */
export const layer = layerWithoutResolver.pipe(Layer.provide(Resolver.layer))

const headersOf = (request: OutboundRequest) =>
  Effect.map(
    Effect.forEach(Object.entries(request.headers), ([name, value]) =>
      Effect.map(valueOf(value, request.url), (text) => [name, text] as const)
    ),
    (entries) => Object.fromEntries(entries)
  )

/** Whether a list of hosts, such as `crm.example.com, *.example.org`, includes this one. */
const listsHost = (list: string, host: string): boolean =>
  list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) =>
      entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : entry !== "" && entry === host
    )

/** Fails if a secret may not be sent to the host of `url`, which the operator decides, not the author of a flow. */
const checkHost = Effect.fnUntraced(function* (secret: string, url: string) {
  const { host } = hostOf(new URL(url))
  const name = hostsVariable(secret)
  const hosts = yield* Effect.orElseSucceed(Config.option(Config.String(name)), () => Option.none())
  if (Option.isSome(hosts) && listsHost(hosts.value, host)) return
  return yield* new OutboundRefused({
    reason: Option.isNone(hosts)
      ? `the secret ${secret} has no hosts; set ${name} to the hosts that may receive it, such as ${host}`
      : `the secret ${secret} may not be sent to ${host}; ${name} lists the hosts that may receive it`
  })
})

const valueOf = Effect.fnUntraced(function* (header: OutboundHeader, url: string) {
  if (typeof header === "string") return header
  const name = secretVariable(header.secret)
  const secret = yield* Effect.orElseSucceed(Config.option(Config.Redacted(name)), () => Option.none())
  if (Option.isNone(secret) || Redacted.value(secret.value) === "")
    return yield* new OutboundRefused({ reason: `${name} is not set` })
  yield* checkHost(header.secret, url)
  const text = `${header.prefix}${Redacted.value(secret.value)}`
  if (!/^[\t -~]+$/u.test(text))
    return yield* new OutboundRefused({ reason: `${name} is not allowed in a header` })
  return text
})

const open = (
  target: Target,
  request: OutboundRequest,
  headers: Record<string, string>
): Http.ClientRequest => {
  const { host, lookup, url } = target
  const options: Https.RequestOptions = {
    method: request.method,
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    lookup,
    // A new connection for each request: none is reused that was opened after an earlier name resolution.
    agent: false,
    maxHeaderSize: 16 * 1024,
    headers: {
      ...headers,
      Host: url.host,
      ...defined({ "Content-Length": UndefinedOr.map(request.body, ({ length }) => String(length)) })
    }
  }
  const opened = url.protocol === "https:" ? Https.request(options) : Http.request(options)
  // It may still fail after its response is complete or nobody waits for it any more.
  opened.on("error", () => undefined)
  return opened
}

const answerOf = (response: Http.IncomingMessage): OutboundAnswer => ({
  status: response.statusCode ?? 0,
  headers: Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : value?.[0]
    ])
  ),
  read: (mostBytes) => readBody(response, mostBytes)
})

const readBody = (response: Http.IncomingMessage, mostBytes: number) =>
  Effect.callback<OutboundBody, OutboundFailed>((resume) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const finish = (isWhole: boolean) =>
      resume(Effect.succeed({ bytes: Buffer.concat(chunks).subarray(0, mostBytes), isWhole }))
    response.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= mostBytes) return
      response.destroy()
      finish(false)
    })
    response.once("end", () => finish(true))
    response.once("error", (error) => resume(new OutboundFailed({ reason: describe(error) })))
    response.once("close", () => resume(new OutboundFailed({ reason: "the answer broke off" })))
  })

/** Describes a failure by its code: messages can contain what the other side sent. */
const describe = (error: Error): string => {
  const code = "code" in error && typeof error.code === "string" ? error.code : "unknown"
  return `the connection failed (${code})`
}
