import { Effect, Option } from "effect"
import { HttpServer } from "effect/http"
import { Settings } from "../config/Config.ts"

/** The address at which this machine reaches a server: one that listens everywhere names no host that a browser opens. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace(/\/\/(?:\[::\]|::):/u, "//[::1]:")

/**
 * The address of the service as callers know it, with its base path: the configured one, or the one on which it listens. Never taken from a request,
 * whose `Host` header anyone can choose.
 */
export const publicAddress = Effect.gen(function* () {
  const { basePath, publicUrl, tlsCert } = yield* Settings
  const { address } = yield* HttpServer.HttpServer
  const origin = Option.getOrElse(publicUrl, () => {
    const plain = reachable(HttpServer.formatAddress(address))
    return Option.isSome(tlsCert) ? plain.replace(/^http:/u, "https:") : plain
  })
  return origin + basePath
})
