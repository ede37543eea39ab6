import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { base64 } from "../support/Documents.ts"
import { at, numberAt, textAt } from "../support/Json.ts"
import { type Tenant, TestService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

let folder: string
let service: TestService
let tenant: Tenant
let document: string

const calibration = (confidence: number) =>
  JSON.stringify({
    calibration: 1,
    scores: 2,
    flow: "receipt",
    version: "1.0.0",
    fitted: { documents: 20, values: 80, wrong: 1 },
    expected: { calibrationError: 0.02, before: 0.2, thresholds: [] },
    curves: [
      {
        of: { by: "rules", document: "born-digital" },
        method: "platt",
        values: 80,
        wrong: 1,
        points: [
          [0, confidence],
          [1, confidence]
        ]
      }
    ]
  })

/** The evidence for the total, as a run of now gives it. */
const total = async (): Promise<unknown> => {
  const { body } = await service.call("POST", "/flows/receipt/run", {
    key: tenant.live,
    body: { wait: true, timeout: 60_000, input: { document: { base64: document } } }
  })
  const { body: run } = await service.call("GET", `/runs/${textAt(body, "id")}?include=artifacts`, {
    key: tenant.live
  })
  return at(run, "artifacts.fields.fields.totalAmount")
}
const place = () => join(folder, "receipt/1.0.0.calibration.json")

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-calibration-"))
  await mkdir(join(folder, "receipt"))
  await copyFile("flows/receipt/1.0.0.yaml", join(folder, "receipt/1.0.0.yaml"))
  await mkdir(join(folder, "receipt/tests"))
  await copyFile("flows/receipt/tests/examples.yaml", join(folder, "receipt/tests/examples.yaml"))
  document = base64(await readFile("examples/receipt.pdf"))
  service = await TestService.start({ DOCFLOW_FLOWS_DIR: folder })
  tenant = await service.tenant()
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

describe("a calibration next to a flow that is served", () => {
  it("is applied as soon as it is there, and a new one in its place, while the version stays published", async () => {
    // The test set next to the flow is none.
    expect(service.logs.filter((line) => line.includes("A flow file has a problem"))).toEqual([])
    const before = await total()
    const score = numberAt(before, "confidence")
    await writeFile(place(), calibration(0.42))
    const after = await until("the calibration to be applied", async () => {
      const now = await total()
      return at(now, "score") === undefined ? undefined : now
    })
    expect(after).toEqual({ ...Object(before), confidence: 0.42, score })
    await writeFile(place(), calibration(0.43))
    await until("the new calibration to be applied", async () =>
      at(await total(), "confidence") === 0.43 ? true : undefined
    )
  })

  it("is reported and left out where it is broken", async () => {
    await writeFile(place(), "no calibration")
    await until("the scores to be back", async () =>
      at(await total(), "score") === undefined ? true : undefined
    )
    const reported = service.logs.find((line) => line.includes("The file is not a calibration"))
    expect(reported).toContain("1.0.0.calibration.json")
  })
})
