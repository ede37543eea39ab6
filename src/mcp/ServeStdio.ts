import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { Effect } from "effect"

/** Serves one assistant over standard input and output until it closes them. */
export const serveStdio = (makeServer: () => McpServer): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(makeServer),
    (server) =>
      Effect.callback<void>((resume) => {
        const end = () => resume(Effect.void)
        process.stdin.once("end", end)
        process.stdin.once("close", end)
        void server.connect(new StdioServerTransport())
      }),
    (server) => Effect.promise(() => server.close())
  )
