import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Context, Effect, type FileSystem, type Path } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { DocumentReader } from "../document/DocumentReader.ts"
import type { Outbound } from "../providers/outbound/Outbound.ts"
import type { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import type { RecentRuns } from "./RecentRuns.ts"

/** The folders whose files the assistant may read; relative paths are resolved in the first. */
export class ReadableFolders extends Context.Service<ReadableFolders, ReadonlyArray<string>>()(
  "docflow/mcp/ReadableFolders"
) {}

/** The runs that this server remembers. */
export class Runs extends Context.Service<Runs, RecentRuns>()("docflow/mcp/Runs") {}

/** What the tools and resources need. */
export type McpServices =
  | LocalRuns
  | DocumentReader
  | Outbound
  | SecureRandom.SecureRandom
  | FileSystem.FileSystem
  | Path.Path
  | ReadableFolders
  | Runs

/** Runs an effect with the services of this server; an aborted call interrupts it. */
export type RunEffect = <A, E>(
  effect: Effect.Effect<A, E, McpServices>,
  options?: { readonly signal?: AbortSignal }
) => Promise<A>

/** Adds its tools or resources to a server. */
export type Register = (server: McpServer, run: RunEffect) => void

/** The answer of a tool, as text. */
export const textAnswer = (text: string): CallToolResult => ({ content: [{ type: "text", text }] })

/** The answer of a tool that refuses a call: the assistant reads the message and can correct it. */
const refusal = (message: string): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: message }]
})

/** Runs the work of a tool; its typed failures become answers that say what to do. */
export const answering = (
  run: RunEffect,
  work: Effect.Effect<CallToolResult, { readonly message: string }, McpServices>,
  signal: AbortSignal
): Promise<CallToolResult> =>
  run(
    Effect.catch(work, ({ message }) => Effect.succeed(refusal(message))),
    { signal }
  )
