/**
 * Fits the calibrations of the shipped flows `invoice` and `receipt`, and measures what they are worth.
 *
 *   node bench/calibrate.ts invoice|receipt [--write] [--cache /tmp/documents] [--synthetic 60]
 *
 * The build half of the corpus (documents whose SHA-256 begins with 0–7), and synthetic ones besides, become a
 * test set in a temporary folder; the other half is only measured. `--write` stores the calibration next to the newest
 * version of the flow. Electronic invoices inside PDFs are not read: what is embedded needs no calibration.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Result } from "effect"
import { stringify } from "yaml"
import {
  calibrationNameOf,
  calibrationOf,
  calibrationText
} from "../src/services/calibration/CalibrationFile.ts"
import { crossValidated } from "../src/services/calibration/FitCurves.ts"
import {
  atThreshold,
  calibrationError,
  type Judged,
  logLoss,
  reliability
} from "../src/services/calibration/Reliability.ts"
import { makeCalibration } from "../src/services/calibration/MakeCalibration.ts"
import type { Observation } from "../src/services/calibration/Observation.ts"
import { openSet } from "../src/services/test-sets/OpenSets.ts"
import { describeCalibration, describeSet } from "../src/cli/test-command/Report.ts"
import { runSet } from "../src/services/test-sets/RunSet.ts"
import { StepKinds } from "../src/engine/program/StepKinds.ts"
import { newestFlowFile } from "../src/services/flows/FlowFiles.ts"
import { LocalRuns } from "../src/services/local-runs/LocalRuns.ts"
import { Llm } from "../src/providers/llm/Llm.ts"
import { LocalDocuments } from "../src/providers/documents/LocalDocuments.ts"
import * as OutboundHttp from "../src/providers/outbound/OutboundHttp.ts"
import { allSteps } from "../src/steps/All.ts"
import { scoreSet } from "../src/services/test-sets/TestScores.ts"
import type { TestCase } from "../src/services/test-sets/TestSet.ts"
import { cachedReader } from "./CachedReader.ts"
import { corpusCases, type Half } from "./CorpusTestSets.ts"
import { syntheticCases } from "./SyntheticInvoices.ts"
import { syntheticReceiptCases } from "./SyntheticReceiptCases.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const flowId = process.argv[2] === "receipt" ? "receipt" : "invoice"

/** What docflow promises for documents that nobody has seen: those that rules were made on are read better. */
const expectedAccuracy = { invoice: 0.9, receipt: 0.8 }

/** How many documents are synthetic; of receipts half are fitted on. */
const usuallySynthetic = { invoice: 60, receipt: 84 }

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** The table of reliability, as the command prints it. */
const showReliability = (name: string, judged: ReadonlyArray<Judged>): void => {
  const sure = atThreshold(judged, 0.9)
  console.log(
    `${name}: ${judged.length} values, error ${percent(calibrationError(judged))}, log loss ${logLoss(judged.map(inside)).toFixed(3)}, ` +
      `≥ 0.9: ${percent(sure.share)} of them, ${sure.wrong}/${sure.values} = ${percent(sure.error)} wrong (95 %: ${percent(sure.low)} to ${percent(sure.high)})`
  )
  for (const { confidence, from, right, values } of reliability(judged))
    console.log(
      `  | ${from.toFixed(1)}–${(from + 0.1).toFixed(1)} | ${values} | ${percent(confidence)} | ${percent(right)} |`
    )
}

/** A score of 0 or 1 would cost endlessly much. */
const inside = ({ confidence, right }: Judged): Judged => ({
  confidence: Math.min(0.999, Math.max(0.001, confidence)),
  right
})

const program = Effect.gen(function* () {
  const file = Option.getOrThrow(yield* newestFlowFile("flows", flowId))
  const runs = yield* LocalRuns
  const text = readFileSync(file, "utf8").replace("using: [embedded, rules]", "using: [rules]")
  const flow = yield* runs.compile(text, file)
  const folder = mkdtempSync(join(tmpdir(), "docflow-calibrate-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))

  const observe = Effect.fnUntraced(function* (name: string, cases: ReadonlyArray<TestCase>) {
    if (cases.length === 0) return []
    const set = join(folder, `${name}.yaml`)
    writeFileSync(set, stringify({ tests: 1, flow: flowId, minimum: 0, cases }))
    const results = yield* runSet(flow, yield* openSet(set, flow), () => undefined)
    const score = scoreSet(results, 0)
    const failures = process.argv.includes("--errors") ? score.failures : []
    console.log(describeSet(name, { ...score, failures }))
    return results.flatMap(({ observations }) => observations)
  })
  const synthetic = Number(option("synthetic") ?? usuallySynthetic[flowId])
  const drawn = (half: Half) =>
    Effect.promise(() =>
      (flowId === "receipt" ? syntheticReceiptCases : syntheticCases)(folder, half, synthetic)
    )

  const build: ReadonlyArray<Observation> = [
    ...(yield* observe("corpus-build", corpusCases(corpus, flowId, "build"))),
    ...(yield* observe("synthetic-build", yield* drawn("build")))
  ]
  const made = makeCalibration(flow.definition, build, Number(option("accuracy") ?? expectedAccuracy[flowId]))
  if (Result.isFailure(made)) return console.error(made.failure)
  console.log(describeCalibration(calibrationNameOf(file), made.success))
  console.log(`  log loss by cross-validation: ${logLoss(crossValidated(build).map(inside)).toFixed(4)}`)
  const calibration = calibrationOf(made.success.curves)

  const measure = (name: string, observations: ReadonlyArray<Observation>) => {
    if (observations.length === 0) return
    showReliability(
      `${name}, before`,
      observations.map(({ right, score }) => ({ confidence: score, right }))
    )
    showReliability(
      `${name}, after`,
      observations.map(({ of, right, score }) => ({ confidence: calibration.confidence(score, of), right }))
    )
  }
  const measured = yield* observe("corpus-measure", corpusCases(corpus, flowId, "measure"))
  for (const kind of ["born-digital", "scanned"] as const)
    measure(
      `corpus, measure half, ${kind}`,
      measured.filter(({ of }) => of.document === kind)
    )
  measure("corpus, measure half", measured)
  measure("synthetic, measure half", yield* observe("synthetic-measure", yield* drawn("measure")))
  if (process.argv.includes("--write")) writeFileSync(calibrationNameOf(file), calibrationText(made.success))
})

const services = Layer.mergeAll(
  cachedReader(option("cache")),
  Llm.layerNone,
  LocalDocuments.layer,
  OutboundHttp.layer
)
const layer = LocalRuns.layer.pipe(
  Layer.provide(StepKinds.layer(allSteps)),
  Layer.provideMerge(services),
  Layer.provideMerge(Layer.mergeAll(NodeServices.layer, NodeCrypto.layer))
)
await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(layer)))
