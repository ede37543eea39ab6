import { Config, Console, Effect, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeServers } from "../mcp/DocflowMcp.ts"
import { serveMcpHttp } from "../mcp/ServeMcpHttp.ts"
import { serveStdio } from "../mcp/ServeStdio.ts"
import { fail } from "./CommandFailed.ts"
import { version } from "../support/Version.ts"

const setting = Config.schema(
  Schema.RedactedFromValue(Schema.String.check(Schema.isMinLength(16))),
  "DOCFLOW_MCP_TOKEN"
)

/** The token from the settings, or a new one. */
const tokenOf = Effect.gen(function* () {
  const given = yield* Config.option(setting)
  if (Option.isSome(given)) return { token: given.value, isNew: false }
  const random = yield* SecureRandom.SecureRandom
  return {
    token: Redacted.make(Buffer.from(yield* random.randomBytes(24)).toString("base64url")),
    isNew: true
  }
})

const serveHttp = Effect.fnUntraced(function* (
  makeServer: Parameters<typeof serveStdio>[0],
  listenOn: number
) {
  const { isNew, token } = yield* Effect.orDie(tokenOf)
  const address = yield* Effect.catch(serveMcpHttp(makeServer, { port: listenOn, token }), ({ message }) =>
    fail(`The port ${listenOn} cannot be used: ${message}`)
  )
  yield* Console.error(`docflow mcp is ready on ${address}`)
  if (isNew) yield* Console.error(`Authorization: Bearer ${Redacted.value(token)}`)
  return yield* Effect.never
})

/** Serves assistants until the command is stopped: over HTTP on a port of 127.0.0.1, or over standard input and output. */
export const serveAssistants = Effect.fnUntraced(function* (
  roots: ReadonlyArray<string>,
  port: Option.Option<number>
) {
  const makeServer = yield* makeServers({ version, roots })
  if (Option.isNone(port)) return yield* serveStdio(makeServer)
  return yield* Effect.scoped(serveHttp(makeServer, port.value))
})
