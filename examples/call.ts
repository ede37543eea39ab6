/**
 * Runs a flow over the API, follows it, and prints the output with the request id:
 *
 * DOCFLOW_KEY=df_live_… node examples/call.ts invoice examples/invoice.pdf
 */
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { DocflowClient, documentOf, responseOf } from "docflow/client"

const [flow = "invoice", file = "examples/invoice.pdf"] = process.argv.slice(2)
const { DOCFLOW_KEY = "", DOCFLOW_URL = "http://127.0.0.1:8080" } = process.env
const docflow = new DocflowClient({ apiKey: DOCFLOW_KEY, baseUrl: `${DOCFLOW_URL}/api/v1` })

const document = documentOf(await readFile(file), { filename: basename(file) })
const { id } = await docflow.run(flow, { input: { document } }, { signal: AbortSignal.timeout(120_000) })
for await (const { event } of docflow.events(id)) console.error(event)
const execution = await docflow.get(id, { include: ["metrics"] })
console.log(JSON.stringify({ execution, requestId: responseOf(execution)?.requestId }))
