import { areaUnderCurve, type Bin, brierScore, reliability } from "./Reliability.ts"
import { defined } from "../../support/Defined.ts"
import type { CaseResult, Checked } from "./RunCase.ts"

/** How often a field was right. */
export interface FieldScore {
  readonly field: string
  readonly right: number
  readonly wrong: number
  readonly missing: number
}

/** The sure values: their number, and how many of them are wrong. */
export interface SureValues {
  readonly threshold: number
  readonly values: number
  readonly wrong: number
}

/** How well the confidences of the values that were found match the truth. */
export interface ConfidenceScore {
  readonly values: number
  /** Mean squared difference between confidence and truth: 0 at best. */
  readonly brier: number
  /** How often a right value has a higher confidence than a wrong one; absent without either. */
  readonly auc?: number
  readonly bins: ReadonlyArray<Bin>
}

/** What a source of `extract` contributed: its values, and how many of them are wrong. */
export interface SourceScore {
  readonly source: string
  readonly values: number
  readonly wrong: number
}

/** How often the values of an issuer's documents were right. */
export interface IssuerScore {
  readonly issuer: string
  readonly cases: number
  readonly right: number
  readonly values: number
}

/** A failed expectation. */
export interface Failure {
  readonly case: string
  readonly document: string
  /** Undefined if the run itself did not end as expected. */
  readonly checked: Checked | undefined
  readonly message: string
}

/** The score of a test set. */
export interface SetScore {
  readonly accuracy: number
  readonly minimum: number
  readonly holds: boolean
  readonly fields: ReadonlyArray<FieldScore>
  readonly sources: ReadonlyArray<SourceScore>
  readonly sure: SureValues
  /** Absent if no whole field was found. */
  readonly confidences?: ConfidenceScore
  /** Absent if no case says who issued its document. */
  readonly issuers?: ReadonlyArray<IssuerScore>
  readonly cases: ReadonlyArray<Pick<CaseResult, "name" | "document" | "issuer" | "problem" | "checked">>
  readonly failures: ReadonlyArray<Failure>
}

const sureFrom = 0.9

const count = (checked: ReadonlyArray<Checked>, verdict: Checked["verdict"]): number =>
  checked.filter((one) => one.verdict === verdict).length

/** The row of the table for a path: `lineItems[0].amount` and `lineItems[1].amount` share one. */
const fieldOf = ({ path }: Checked): string => path.replaceAll(/\[\d+\]/gu, "[]")

const failuresOf = (result: CaseResult): ReadonlyArray<Failure> => {
  const { checked, document, name, problem } = result
  const values = checked
    .filter(({ verdict }) => verdict !== "right")
    .map((one) => ({ case: name, document, checked: one, message: messageOf(one) }))
  return problem === undefined ? values : [{ case: name, document, checked: undefined, message: problem }]
}

const messageOf = ({ actual, evidence, expected, path, verdict }: Checked): string => {
  const got = verdict === "missing" ? "got nothing" : `got ${JSON.stringify(actual)}`
  return `${path}: expected ${JSON.stringify(expected)}, ${got}${placeOf(evidence)}`
}

const placeOf = (evidence: Checked["evidence"]): string => {
  if (evidence === undefined || evidence.status === "missing") return ""
  const page = evidence.page === undefined ? "nowhere on the page" : `page ${evidence.page}`
  const text = evidence.text === undefined ? "" : `, from ${JSON.stringify(evidence.text.slice(0, 100))}`
  return ` (${Math.round(evidence.confidence * 100)} % sure, ${page}${text})`
}

/** What each source contributed, the one with the most values first. */
const sourcesOf = (checked: ReadonlyArray<Checked>): ReadonlyArray<SourceScore> => {
  const given = checked.flatMap((one) =>
    one.evidence?.by === undefined ? [] : [{ ...one, source: one.evidence.by }]
  )
  return [...Map.groupBy(given, ({ source }) => source)]
    .map(([source, group]) => ({ source, values: group.length, wrong: group.length - count(group, "right") }))
    .toSorted((one, other) => other.values - one.values)
}

/** Judges the confidences of whole fields: a part of a table has none of its own here, and nothing found claims nothing. */
const confidencesOf = (checked: ReadonlyArray<Checked>): { readonly confidences?: ConfidenceScore } => {
  const judged = checked.flatMap(({ evidence, path, verdict }) =>
    evidence === undefined || evidence.status === "missing" || /[.[]/u.test(path)
      ? []
      : [{ confidence: evidence.confidence, right: verdict === "right" }]
  )
  if (judged.length === 0) return {}
  const auc = areaUnderCurve(judged)
  const ranking = auc === undefined ? {} : { auc }
  return {
    confidences: {
      values: judged.length,
      brier: brierScore(judged),
      ...ranking,
      bins: reliability(judged)
    }
  }
}

const issuersOf = (results: ReadonlyArray<CaseResult>): { readonly issuers?: ReadonlyArray<IssuerScore> } => {
  const known = results.flatMap(({ checked, issuer }) => (issuer === undefined ? [] : [{ checked, issuer }]))
  if (known.length === 0) return {}
  return {
    issuers: [...Map.groupBy(known, ({ issuer }) => issuer)].map(([issuer, group]) => {
      const checked = group.flatMap((one) => one.checked)
      return { issuer, cases: group.length, right: count(checked, "right"), values: checked.length }
    })
  }
}

/** Counts the results of a set; a run that did not end as expected counts as one failed expectation. */
export const scoreSet = (results: ReadonlyArray<CaseResult>, minimum = 1): SetScore => {
  const checked = results.flatMap((result) => result.checked)
  const broken = results.filter(({ problem }) => problem !== undefined).length
  // A case that only states how the run ends counts as an expectation, too.
  const ends = results.filter(
    ({ checked: none, problem }) => none.length === 0 && problem === undefined
  ).length
  const right = count(checked, "right") + ends
  const accuracy = right / (checked.length + broken + ends)
  const sure = checked.filter(({ evidence }) => (evidence?.confidence ?? 0) >= sureFrom)
  return {
    accuracy,
    minimum,
    holds: accuracy >= minimum,
    fields: [...Map.groupBy(checked, fieldOf)].map(([field, group]) => ({
      field,
      right: count(group, "right"),
      wrong: count(group, "wrong"),
      missing: count(group, "missing")
    })),
    sources: sourcesOf(checked),
    sure: { threshold: sureFrom, values: sure.length, wrong: count(sure, "wrong") },
    ...confidencesOf(checked),
    ...issuersOf(results),
    cases: results.map(({ checked, document, issuer, name, problem }) => ({
      name,
      document,
      ...defined({ issuer }),
      problem,
      checked
    })),
    failures: results.flatMap(failuresOf)
  }
}
