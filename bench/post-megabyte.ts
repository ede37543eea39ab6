import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { hash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { compare } from "./SideBySide.ts"

/**
 * A document of 700 KB (1 MB of JSON) posted with `wait` and its execution of one step on the same cores, next to bare
 * `node:http` that parses the JSON, decodes the base64 and hashes the bytes. The goal is a ratio of at least 0.4.
 *
 * `node bench/post-megabyte.ts [requests a round]`
 */

const count = Number(process.argv[2] ?? 200)
const flow = `docflow: 1
id: note
version: 1.0.0
name: Note
document: { formats: [text/plain], maxFileSizeMB: 5 }
steps:
  - { id: size, uses: transform, with: { value: 1 } }
output: { value: { it: "\${{ steps.size }}" } }
`

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
await mkdir(join(folder, "flows/note"), { recursive: true })
await writeFile(join(folder, "flows/note/1.0.0.yaml"), flow)
const postgres = await startPostgres()
const service = await ServiceProcess.start({
  DATABASE_URL: postgres.url,
  DOCFLOW_DATA_DIR: join(folder, "data"),
  DOCFLOW_FLOWS_DIR: join(folder, "flows")
})
const { key } = await service.makeOrganization({ requestsPerMinute: 1_000_000 })

// Of its own each time, as callers send them: equal bytes would be stored once.
const filler = randomBytes(260_000).toString("hex")
let made = 0
const bodyOf = () => {
  const base64 = Buffer.from(`Note ${made++}. ${filler}`.padEnd(700_000, " again")).toString("base64")
  return { wait: true, input: { document: { base64, mimeType: "text/plain" } } }
}
const execution = async () => {
  const { body, status } = await service.call("POST", "/api/v1/flows/note/run", { key, body: bodyOf() })
  if (status !== 200 || body.status !== "completed") throw new Error(`answered ${status}, ${body.status}`)
}

const bare = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    const blob = hash("sha256", Buffer.from(input.document.base64, "base64"))
    response.setHeader("content-type", "application/json").end(JSON.stringify({ blob }))
  })
})
await new Promise<void>((resolve) => void bare.listen(0, "127.0.0.1", resolve))
const address = bare.address()
const port = typeof address === "object" && address !== null ? address.port : 0
const post = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: JSON.stringify(bodyOf()) })
  await answer.json()
}

const [, ratio = 0] = await compare(
  [
    { name: "docflow, POST of 1 MB with its execution", one: execution },
    { name: "node:http: parse, decode, hash", one: post }
  ],
  { atOnce: 4, count, rounds: 3 }
)

bare.close()
await service.end("SIGTERM")
await postgres.stop()
await rm(folder, { recursive: true, force: true })
process.exitCode = ratio >= 0.4 ? 0 : 1
