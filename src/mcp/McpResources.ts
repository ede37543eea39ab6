import { ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { editorSchema } from "../../dsl/tools/EditorSchema.ts"
import { reference } from "../../dsl/tools/Reference.ts"
import { localFlow, localFlowFile, localFlowFiles } from "../services/local-runs/LocalFlows.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import type { McpServices, Register, RunEffect } from "./McpTool.ts"

const resource = (uri: string, mimeType: string, text: string) => ({ contents: [{ uri, mimeType, text }] })

const one = (value: string | ReadonlyArray<string> | undefined): string =>
  typeof value === "string" ? value : (value?.[0] ?? "")

/** Reads a resource; a missing one is an error of the protocol. */
const reading = <A>(run: RunEffect, work: Effect.Effect<A, { readonly message: string }, McpServices>) =>
  run(Effect.catch(work, ({ message }) => Effect.die(new McpError(ErrorCode.InvalidParams, message))))

/** Every version of every flow, as a list of resources under a path of its URI. */
const listing = (run: RunEffect, kind: string, mimeType: string) =>
  run(
    Effect.map(localFlowFiles, (files) => ({
      resources: files.map(({ id, version }) => ({
        uri: `docflow://${kind}/${id}/${version}`,
        name: `${id} ${version}`,
        mimeType
      }))
    }))
  )

/** The language reference, the schema of flow files, each flow, and the schemas of its input and output. */
export const registerResources: Register = (server, run) => {
  server.registerResource(
    "language",
    "docflow://language",
    {
      title: "Flow language",
      description: "Reference of the flow language with all step kinds.",
      mimeType: "text/markdown"
    },
    ({ href }) =>
      run(Effect.map(LocalRuns, ({ registry }) => resource(href, "text/markdown", reference(registry))))
  )
  server.registerResource(
    "flow-schema",
    "docflow://schema",
    {
      title: "Schema of flow files",
      description: "JSON Schema of flow files.",
      mimeType: "application/schema+json"
    },
    ({ href }) =>
      run(
        Effect.map(LocalRuns, ({ registry }) =>
          resource(href, "application/schema+json", JSON.stringify(editorSchema(registry)))
        )
      )
  )
  server.registerResource(
    "flow",
    new ResourceTemplate("docflow://flows/{id}/{version}", {
      list: () => listing(run, "flows", "application/yaml")
    }),
    { title: "Flow", description: "Text of a version of a flow.", mimeType: "application/yaml" },
    ({ href }, { id, version }) =>
      reading(
        run,
        Effect.map(localFlowFile(one(id), one(version)), ({ text }) =>
          resource(href, "application/yaml", text)
        )
      )
  )
  server.registerResource(
    "flow-schemas",
    new ResourceTemplate("docflow://schemas/{id}/{version}", {
      list: () => listing(run, "schemas", "application/schema+json")
    }),
    {
      title: "Schemas of a flow",
      description: "JSON Schemas of the input and the output of a version of a flow.",
      mimeType: "application/schema+json"
    },
    ({ href }, { id, version }) =>
      reading(
        run,
        Effect.map(localFlow(one(id), one(version)), ({ inputSchema, outputSchema }) =>
          resource(
            href,
            "application/schema+json",
            JSON.stringify({ input: inputSchema, output: outputSchema })
          )
        )
      )
  )
}
