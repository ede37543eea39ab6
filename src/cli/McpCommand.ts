import { Config, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { makeServers } from "../mcp/DocflowMcp.ts"
import { serveMcpHttp } from "../mcp/ServeMcpHttp.ts"
import { serveStdio } from "../mcp/ServeStdio.ts"
import { fail } from "./CommandFailed.ts"
import { version } from "./Version.ts"

const port = Flag.Int("http").pipe(
  Flag.withDescription(
    "Serve streamable HTTP on this port of 127.0.0.1 instead of standard input and output"
  ),
  Flag.optional
)
const root = Flag.String("root").pipe(
  Flag.withDescription("Folder whose files the assistant may read; may be repeated. Default: this folder"),
  Flag.between(0, 20)
)

/** The token of the setting, or a new one. */
const tokenOf = Effect.gen(function* () {
  const given = yield* Config.option(Config.Redacted("DOCFLOW_MCP_TOKEN"))
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

/** `docflow mcp`: flows as tools for assistants, over the Model Context Protocol. */
export const mcpCommand = Command.make("mcp", { port, root }, (input) =>
  Effect.gen(function* () {
    const makeServer = yield* makeServers({ version, roots: input.root.length > 0 ? input.root : ["."] })
    if (Option.isNone(input.port)) return yield* serveStdio(makeServer)
    return yield* Effect.scoped(serveHttp(makeServer, input.port.value))
  })
).pipe(
  Command.withDescription(
    "Serve assistants over the Model Context Protocol (MCP): tools that run and check flows in this process"
  )
)
