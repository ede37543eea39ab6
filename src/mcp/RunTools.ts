import { Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { z } from "zod"
import type { FieldEvidence } from "../domain/Evidence.ts"
import { localFlow } from "../services/local-runs/LocalFlows.ts"
import { fieldsToReview, LocalRuns, type RunResult } from "../services/local-runs/LocalRuns.ts"
import { markedData } from "./MarkedData.ts"
import { givenDocument } from "./McpDocuments.ts"
import { answering, ReadableFolders, type Register, Runs, textAnswer } from "./McpTool.ts"

/** The assistant asked for an execution that this server does not know. */
export class UnknownExecution extends Schema.TaggedError<UnknownExecution>()("UnknownExecution", {
  message: Schema.String
}) {}

/** The run of an id, with its document. */
export const recentRun = Effect.fnUntraced(function* (execution: string) {
  const found = Option.fromUndefinedOr((yield* Runs).get(execution))
  if (Option.isSome(found)) return found.value
  return yield* new UnknownExecution({
    message: `Unknown execution ${execution}. This server remembers its last 100 runs; call run_flow again`
  })
})

const rounded = (value: number): number => Math.round(value * 100) / 100

/** The evidence of a field in one short object: where the value is, and how sure it is. */
const compactEvidence = ({ bbox, confidence, doubts, page, status, text }: FieldEvidence) => ({
  status,
  confidence: rounded(confidence),
  ...(page === undefined ? {} : { page }),
  ...(bbox === undefined ? {} : { box: [bbox.x, bbox.y, bbox.w, bbox.h].map(rounded) }),
  ...(text === undefined ? {} : { text }),
  ...(doubts === undefined ? {} : { doubts })
})

const compactResult = (execution: string, result: RunResult) => ({
  execution,
  flow: result.flow,
  version: result.version,
  status: result.status,
  ...(result.error === undefined ? {} : { error: result.error }),
  ...(result.output === undefined ? {} : { output: result.output }),
  evidence: Object.fromEntries(
    Object.entries(result.fields).map(([name, evidence]) => [name, compactEvidence(evidence)])
  ),
  review: fieldsToReview(result),
  pages: result.metrics.pageCount
})

const answerOf = (execution: string, result: RunResult) =>
  Effect.map(markedData(JSON.stringify(compactResult(execution, result), null, 1)), textAnswer)

const documentInput = {
  file: z.string().optional().describe("Path of a file in a folder that this server may read."),
  url: z.string().optional().describe("Public https URL of a document."),
  text: z.string().max(1_000_000).optional().describe("Text of a document.")
}

/** `run_flow` and `get_execution`. */
export const registerRunTools: Register = (server, run) => {
  server.registerTool(
    "run_flow",
    {
      title: "Run a flow on a document",
      description:
        "Run a flow on one document, given as file, url or text. Returns the output, the evidence of each field (page, bounding box in points from the top left corner, confidence) and the fields that a person should review.",
      inputSchema: {
        flow: z.string().describe("Id of the flow, such as invoice; list_flows lists them."),
        version: z.string().optional().describe("Version of the flow. Default: the newest."),
        ...documentInput,
        variables: z.record(z.string(), z.unknown()).optional().describe("Variables of the flow.")
      },
      annotations: { readOnlyHint: true, openWorldHint: true }
    },
    ({ flow, variables, version, ...source }, { _meta, sendNotification, signal }) => {
      const progressToken = _meta?.progressToken
      const onProgress = (step: string, percentage: number) => {
        if (progressToken === undefined) return
        void sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: percentage, total: 100, message: step }
        }).catch(() => undefined)
      }
      return answering(
        run,
        Effect.gen(function* () {
          const runs = yield* LocalRuns
          const random = yield* SecureRandom.SecureRandom
          const compiled = yield* localFlow(flow, version)
          const document = yield* givenDocument(source, yield* ReadableFolders)
          const { bytes, mimeType, name } = document
          const result = yield* runs.run(compiled, bytes, {
            filename: name,
            onProgress,
            ...(mimeType === undefined ? {} : { mimeType }),
            ...(variables === undefined ? {} : { variables })
          })
          const execution = `local_${yield* random.ulid}`
          ;(yield* Runs).add(execution, { result, document })
          return yield* answerOf(execution, result)
        }),
        signal
      )
    }
  )
  server.registerTool(
    "get_execution",
    {
      title: "Get an execution",
      description:
        "Get the result of an earlier run_flow of this server again: output, compact evidence and fields to review.",
      inputSchema: { execution: z.string().describe("The `execution` that run_flow returned.") },
      annotations: { readOnlyHint: true, openWorldHint: false }
    },
    ({ execution }, { signal }) =>
      answering(
        run,
        Effect.flatMap(recentRun(execution), ({ result }) => answerOf(execution, result)),
        signal
      )
  )
}
