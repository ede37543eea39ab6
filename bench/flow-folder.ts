import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"

/** From writing a flow file to the service serving it, for ten new flows. The goal is at most two seconds. */

const count = 10
const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const flows = join(folder, "flows")
await mkdir(flows)
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder, DOCFLOW_FLOWS_DIR: flows })
const { key } = await service.makeOrganization()

const times: Array<number> = []
for (let index = 0; index < count; index++) {
  const id = `new-${index}`
  await mkdir(join(flows, id))
  const text = `docflow: 1\nid: ${id}\nversion: 1.0.0\nname: New\ndocument: { formats: [application/pdf] }\nsteps: [{ id: say, uses: transform, with: { value: hello } }]\noutput: { value: { it: "\${{ steps.say }}" } }\n`
  await writeFile(join(flows, id, "1.0.0.yaml"), text)
  const startedAt = performance.now()
  while ((await service.call("GET", `/api/v1/flows/${id}`, { key })).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  times.push(performance.now() - startedAt)
}
const sorted = times.toSorted((a, b) => a - b)
const longest = sorted.at(-1) ?? 0
console.log(
  `a new flow is served after ${(sorted[count / 2] ?? 0).toFixed(0)} ms (median), ${longest.toFixed(0)} ms (longest of ${count})`
)
await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
process.exitCode = longest <= 2000 ? 0 : 1
