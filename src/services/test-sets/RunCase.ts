import { Effect, Predicate, Result, Schema } from "effect"
import { defined } from "../../support/Defined.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { LocalRuns } from "../local-runs/LocalRuns.ts"
import { parseOutputPath, valueAt } from "./OutputPath.ts"
import { Expectation, isDetailed, type TestCase } from "./TestSet.ts"
import { editDistance } from "../../support/EditDistance.ts"
import { isDay } from "../../support/CalendarDates.ts"

/** The result of a comparison; `missing`: there is no value, though one was expected. */
type Verdict = "right" | "wrong" | "missing"

interface Tolerance {
  readonly exact: boolean
  readonly within: number
}

const usual: Tolerance = { exact: false, within: 0.005 }

/** The tolerance for binary fractions of a cent. */
const slack = 1e-9

const decode = Schema.decodeUnknownResult(Expectation)

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim()

const sameText = (actual: string, expected: string, exact: boolean): boolean => {
  if (exact) return actual === expected
  // If only a day is expected, a date with a time matches as well.
  if (isDay(expected) && actual.startsWith(`${expected}T`)) return true
  return folded(actual) === folded(expected)
}

/** Whether a value is as expected: for objects, the expected keys; for arrays, every element. */
const same = (actual: unknown, expected: unknown, tolerance: Tolerance): boolean => {
  if (typeof expected === "number")
    return typeof actual === "number" && Math.abs(actual - expected) <= tolerance.within + slack
  if (typeof expected === "string")
    return typeof actual === "string" && sameText(actual, expected, tolerance.exact)
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((element, index) => same(actual[index], element, tolerance))
    )
  }
  if (Predicate.isObject(expected)) {
    return (
      Predicate.isObject(actual) &&
      Object.entries(expected).every(([key, value]) =>
        same(Object.getOwnPropertyDescriptor(actual, key)?.value, value, tolerance)
      )
    )
  }
  return (actual ?? null) === expected
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const fewestLetters = 4
const mostMisread = 0.15

/** Whether two names are the same except for their legal form, an addition, or one or two misread letters. */
const isLike = (actual: unknown, name: string): boolean => {
  if (typeof actual !== "string") return false
  const [a, b] = [lettersOf(actual), lettersOf(name)]
  if (a === b) return true
  if (Math.min(a.length, b.length) < fewestLetters) return false
  return a.includes(b) || b.includes(a) || editDistance(a, b) <= mostMisread * b.length
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

const holds = (actual: unknown, { anyOf, contains, exact, is, like, within }: Expectation): boolean => {
  const tolerance = { exact: exact ?? usual.exact, within: within ?? usual.within }
  const fold = tolerance.exact ? (text: string) => text : folded
  if (is !== undefined && !same(actual, is, tolerance)) return false
  if (anyOf !== undefined && !anyOf.some((one) => same(actual, one, tolerance))) return false
  if (contains !== undefined && !(typeof actual === "string" && fold(actual).includes(fold(contains))))
    return false
  if (like === undefined) return true
  return (typeof like === "string" ? [like] : like).some((name) => isLike(actual, name))
}

/** Compares a value of an output with what a test set expects. */
export const compare = (actual: unknown, expected: Schema.Json): Verdict => {
  const detailed = isDetailed(expected) ? decode(expected) : undefined
  const right =
    detailed !== undefined && Result.isSuccess(detailed)
      ? holds(actual, detailed.success)
      : same(actual, expected, usual)
  if (right) return "right"
  return isNothing(actual) ? "missing" : "wrong"
}

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
}

const noFields: { readonly [name: string]: FieldEvidence } = {}

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
  const name = one.name ?? one.document
  const filename = one.document.split(/[/\\]/u).at(-1) ?? one.document
  const ran = yield* runs.run(flow, bytes, { filename, variables: one.variables ?? {}, onProgress }).pipe(
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
  for (const [path, expected] of Object.entries(one.expect ?? {})) {
    const parts = parseOutputPath(path) ?? []
    const field = String(parts[0])
    const evidence = Object.hasOwn(ran.fields, field) ? ran.fields[field] : undefined
    const inOutput = valueAt(ran.output, parts)
    const actual = inOutput === undefined && parts.length === 1 ? evidence?.value : inOutput
    // Nothing is right in a run that ended in another way, even if nothing is what was expected.
    const verdict = problem === undefined ? compare(actual, expected) : "missing"
    checked.push({ path, verdict, expected, actual: actual ?? null, ...withoutValue(evidence) })
  }
  return {
    name,
    document: one.document,
    problem,
    ...defined({ issuer }),
    checked
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
