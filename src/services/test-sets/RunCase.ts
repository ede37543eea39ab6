import { Effect } from "effect"
import type { Calibration, Scored } from "../../../dsl/model/Calibration.ts"
import { defined } from "../../support/Defined.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import type { Observation } from "../calibration/Observation.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { LocalRuns } from "../local-runs/LocalRuns.ts"
import { compare, type Verdict } from "./CompareValues.ts"
import { parseOutputPath, valueAt } from "./OutputPath.ts"
import type { TestCase } from "./TestSet.ts"

/** One expectation, and its result. */
export interface Checked {
  readonly path: string
  readonly verdict: Verdict
  readonly expected: unknown
  readonly actual: unknown
  readonly evidence?: Omit<FieldEvidence, "value">
}

/** The result of a case. */
export interface CaseResult {
  readonly name: string
  readonly document: string
  /** Who issued the document, if the case says so. */
  readonly issuer?: string
  /** Why the status or error code of the run is wrong; undefined if they are as expected. */
  readonly problem: string | undefined
  readonly checked: ReadonlyArray<Checked>
  /** The values with known score and truth, for a calibration. */
  readonly observations: ReadonlyArray<Observation>
}

interface Heard {
  readonly score: number
  readonly of: Scored
}

/** Collects the scores of a run, whatever its calibration. */
const listening = (flow: RunnableFlow, heard: Map<string, Heard>): RunnableFlow => {
  const calibration: Calibration = {
    id: `${flow.calibration?.id ?? ""} heard`,
    confidence: (score, of) => {
      heard.set(of.field, { score, of })
      return flow.calibration?.confidence(score, of) ?? score
    }
  }
  return { ...flow, calibration }
}

const noFields: { readonly [name: string]: FieldEvidence } = {}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

const issuerName = /^(?:vendor|merchant|seller|supplier|issuer)(?:Name)?$/u

/** Who issued the document of a case, as the case says or expects. */
const issuerOf = ({ expect = {}, issuer }: TestCase): string | undefined => {
  const expected = Object.entries(expect).find(([path]) => issuerName.test(path))?.[1]
  if (issuer !== undefined || expected === undefined) return issuer
  return typeof expected === "string" ? expected : JSON.stringify(expected)
}

/** Runs a flow on the document of a case and compares the output. */
export const runCase = Effect.fn("TestSets.runCase")(function* (
  flow: RunnableFlow,
  one: TestCase,
  bytes: Uint8Array,
  onProgress: (step: string, percentage: number) => void
) {
  const runs = yield* LocalRuns
  const heard = new Map<string, Heard>()
  const name = one.name ?? one.document
  const filename = one.document.split(/[/\\]/u).at(-1) ?? one.document
  const ran = yield* runs
    .run(listening(flow, heard), bytes, { filename, variables: one.variables ?? {}, onProgress })
    .pipe(
      Effect.catch(({ _tag: code, message }) =>
        Effect.succeed({
          status: "failed" as const,
          output: undefined,
          fields: noFields,
          error: { code, message }
        })
      )
    )
  const problem = problemOf(one, ran)
  const issuer = issuerOf(one)
  const checked: Array<Checked> = []
  const observations: Array<Observation> = []
  for (const [path, expected] of Object.entries(one.expect ?? {})) {
    const parts = parseOutputPath(path) ?? []
    const field = String(parts[0])
    const evidence = Object.hasOwn(ran.fields, field) ? ran.fields[field] : undefined
    const inOutput = valueAt(ran.output, parts)
    const actual = inOutput === undefined && parts.length === 1 ? evidence?.value : inOutput
    // Nothing is right in a run that ended in another way, even if nothing is what was expected.
    const verdict = problem === undefined ? compare(actual, expected) : "missing"
    checked.push({ path, verdict, expected, actual: actual ?? null, ...withoutValue(evidence) })
    const said = heard.get(field)
    // Only a whole field has a confidence, and only if the output is what was extracted.
    if (said !== undefined && parts.length === 1 && isSame(actual, evidence?.value))
      observations.push({
        ...said,
        document: one.document,
        right: verdict === "right",
        ...defined({ issuer })
      })
  }
  return {
    name,
    document: one.document,
    problem,
    ...defined({ issuer }),
    checked,
    observations
  } satisfies CaseResult
})

const withoutValue = (evidence: FieldEvidence | undefined) => {
  if (evidence === undefined) return {}
  const { value: _, ...rest } = evidence
  return { evidence: rest }
}

interface Ended {
  readonly status: "completed" | "failed"
  readonly error?: { readonly code: string; readonly message: string }
}

const problemOf = (wanted: TestCase, { error, status }: Ended): string | undefined => {
  const said = error === undefined ? "it completed" : `it failed with ${error.code}: ${error.message}`
  const expected = wanted.status ?? (wanted.error === undefined ? "completed" : "failed")
  if (status !== expected) return `expected that it ${expected === "failed" ? "fails" : "completes"}; ${said}`
  if (wanted.error !== undefined && wanted.error !== error?.code) return `expected ${wanted.error}; ${said}`
  return undefined
}
