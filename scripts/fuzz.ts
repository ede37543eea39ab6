/**
 * Drives every operation of the served OpenAPI document with valid, boundary and broken requests, and holds each answer
 * against the document: `npm run fuzz -- --seed 1 --requests 1000 [--operation flows.run]`.
 */
import { parseArgs } from "node:util"
import { fuzz, type FuzzReport } from "./fuzz/Fuzz.ts"
import { startService } from "./fuzz/Service.ts"
import { defined } from "../src/support/Defined.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    requests: { type: "string", default: "200" },
    operation: { type: "string" },
    concurrency: { type: "string", default: "12" }
  }
})

const print = ({ failures, statuses }: FuzzReport): void => {
  let total = 0
  for (const [operation, counts] of statuses) {
    const row = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    for (const count of counts.values()) total += count
    console.log(`${operation.padEnd(28)} ${row.join("  ")}`)
  }
  console.log(`${total} requests, ${failures.length} failures, seed ${values.seed}`)
  for (const { operation, problem, reproduction } of failures) {
    console.log(`\n${operation}: ${problem}\n  ${reproduction}`)
  }
}

await using service = await startService()
const startedAt = performance.now()
let lastAt = startedAt
const report = await fuzz(service, {
  seed: Number(values.seed),
  requests: Number(values.requests),
  concurrency: Number(values.concurrency),
  ...defined({ operation: values.operation }),
  progress: (line) => {
    if (performance.now() - lastAt < 2000) return
    lastAt = performance.now()
    console.error(`${((lastAt - startedAt) / 1000).toFixed(0)} s  ${line}`)
  }
})
print(report)
const defects = service.defects()
for (const line of defects.slice(0, 5)) console.log(line)
process.exitCode = report.failures.length + defects.length === 0 ? 0 : 1
