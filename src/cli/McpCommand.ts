import { Effect } from "effect"
import { Command, Flag } from "effect/cli"

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

/** `docflow mcp`: flows as tools for assistants, over the Model Context Protocol. */
export const mcpCommand = Command.make("mcp", { port, root }, (input) =>
  Effect.gen(function* () {
    // The protocol's library loads slowly, and no other command needs it.
    const { serveAssistants } = yield* Effect.promise(() => import("./ServeAssistants.ts"))
    return yield* serveAssistants(input.root.length > 0 ? input.root : ["."], input.port)
  })
).pipe(
  Command.withDescription(
    "Serve assistants over the Model Context Protocol (MCP): tools that run and check flows in this process"
  )
)
