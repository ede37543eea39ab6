import { Effect, Predicate, Result } from "effect"
import { z } from "zod"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import { newestFlowFiles } from "../services/local-runs/LocalFlows.ts"
import { proposeFlow } from "../services/proposals/ProposeFlow.ts"
import { markedData } from "./MarkedData.ts"
import { givenDocument } from "./McpDocuments.ts"
import { answering, ReadableFolders, type Register, textAnswer } from "./McpTool.ts"

const fieldsOf = (schema: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(schema, "properties") && Predicate.isObject(schema.properties)
    ? Object.keys(schema.properties)
    : []

const listing = Effect.gen(function* () {
  const runs = yield* LocalRuns
  const flows = yield* Effect.forEach(yield* newestFlowFiles, ({ file, text }) =>
    Effect.map(Effect.result(runs.compile(text, file)), (compiled) => {
      if (Result.isFailure(compiled)) return []
      const { definition, outputSchema } = compiled.success
      const { description, document, id, name, variables, version } = definition
      return [
        {
          id,
          version,
          name,
          description,
          formats: document.formats,
          output: fieldsOf(outputSchema),
          ...(variables === undefined ? {} : { variables })
        }
      ]
    })
  )
  return textAnswer(JSON.stringify({ flows: flows.flat() }, null, 1))
})

/** `list_flows`, `check_flow` and `propose_flow`. */
export const registerFlowTools: Register = (server, run) => {
  server.registerTool(
    "list_flows",
    {
      title: "List flows",
      description:
        "List the document flows that run_flow can run: id, version, description, accepted formats and the fields of the output.",
      annotations: { readOnlyHint: true, openWorldHint: false }
    },
    ({ signal }) => answering(run, listing, signal)
  )
  server.registerTool(
    "check_flow",
    {
      title: "Check a flow",
      description:
        "Check the text of a flow file (YAML). Returns every problem with line, column and a suggestion. The resource docflow://language describes the language.",
      inputSchema: { flow: z.string().max(1_000_000).describe("Text of the flow file.") },
      annotations: { readOnlyHint: true, openWorldHint: false }
    },
    ({ flow }, { signal }) =>
      answering(
        run,
        Effect.gen(function* () {
          const runs = yield* LocalRuns
          const compiled = yield* Effect.result(runs.compile(flow, "flow.yaml"))
          if (Result.isFailure(compiled)) return textAnswer(compiled.failure.message)
          const { id, version } = compiled.success.definition
          return textAnswer(`${id} ${version} has no problems`)
        }),
        signal
      )
  )
  server.registerTool(
    "propose_flow",
    {
      title: "Propose a flow",
      description:
        "Propose a flow for documents like the given examples: finds the fields that at least half of them have and returns a flow file (YAML) that has no problems. Nothing is written to disk.",
      inputSchema: {
        id: z
          .string()
          .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u)
          .max(64)
          .describe("Id of the new flow, such as delivery-note."),
        files: z.array(z.string()).min(1).max(20).describe("Paths of the example documents.")
      },
      annotations: { readOnlyHint: true, openWorldHint: false }
    },
    ({ files, id }, { signal }) =>
      answering(
        run,
        Effect.gen(function* () {
          const roots = yield* ReadableFolders
          const examples = yield* Effect.forEach(files, (file) => givenDocument({ file }, roots))
          const proposal = yield* proposeFlow(
            id,
            id,
            examples.map(({ bytes, name }) => ({ bytes, filename: name }))
          )
          // Labels come from the documents, so the flow is untrusted data, too.
          return textAnswer(yield* markedData(proposal.text))
        }),
        signal
      )
  )
}
