import type {
  ConfidenceScore,
  FieldScore,
  IssuerScore,
  SetScore,
  SourceScore
} from "../../services/test-sets/TestScores.ts"

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

const rowOf = ({ field, missing, right, wrong }: FieldScore): ReadonlyArray<string> => [
  field,
  String(right),
  String(wrong),
  String(missing),
  percent(right / (right + wrong + missing))
]

const rowsOf = (fields: ReadonlyArray<FieldScore>): ReadonlyArray<ReadonlyArray<string>> => {
  const sum = (key: "right" | "wrong" | "missing") => fields.reduce((total, field) => total + field[key], 0)
  const all = { field: "all", right: sum("right"), wrong: sum("wrong"), missing: sum("missing") }
  return fields.length > 1 ? [...fields.map(rowOf), rowOf(all)] : fields.map(rowOf)
}

/** Formats rows: the first column aligned to the left, numbers to the right. */
const tableText = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map(
    (row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}`
  )
}

const sourceTable = (sources: ReadonlyArray<SourceScore>): ReadonlyArray<string> =>
  sources.length === 0
    ? []
    : tableText([
        ["source", "values", "wrong"],
        ...sources.map(({ source, values, wrong }) => [source, String(values), String(wrong)])
      ])

const issuerTable = (issuers: ReadonlyArray<IssuerScore>): ReadonlyArray<string> =>
  issuers.length < 2
    ? []
    : tableText([
        ["issuer", "documents", "values", "accuracy"],
        ...issuers.map(({ cases, issuer, right, values }) => [
          issuer,
          String(cases),
          String(values),
          percent(right / values)
        ])
      ])

/** The values by confidence, the surest first, and how well the confidences match the truth. */
const reliabilityText = (score: ConfidenceScore | undefined): ReadonlyArray<string> =>
  score === undefined
    ? []
    : [
        ...tableText([
          ["confidence", "values", "stated", "right"],
          ...score.bins
            .toReversed()
            .map(({ confidence, from, right, values }) => [
              `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
              String(values),
              percent(confidence),
              percent(right)
            ])
        ]),
        `  Brier score ${score.brier.toFixed(3)} (0 is best)` +
          (score.auc === undefined ? "" : `, AUC ${score.auc.toFixed(3)} (1 is best, 0.5 is chance)`)
      ]

/** The report of a test set: tables by field, source and confidence, the sure values, and every expectation that does not hold. */
export const describeSet = (file: string, score: SetScore): string => {
  const { confidences, failures, fields, holds, issuers = [], minimum, sources, sure } = score
  const table =
    fields.length === 0
      ? []
      : tableText([["field", "right", "wrong", "missing", "accuracy"], ...rowsOf(fields)])
  const confident =
    sure.values === 0
      ? []
      : [`  ${sure.values} values are ${percent(sure.threshold)} sure or more, ${sure.wrong} of them wrong`]
  const wanted = minimum === 1 ? "all must hold" : `at least ${percent(minimum)} must`
  return [
    `${file}: ${holds ? "holds" : "does not hold"} (${percent(score.accuracy)} of the expectations, ${wanted})`,
    ...table,
    ...sourceTable(sources),
    ...issuerTable(issuers),
    ...reliabilityText(confidences),
    ...confident,
    ...failures.map((failure) => `  ${failure.case}: ${failure.message}`)
  ].join("\n")
}

/** What all test sets have in common: how many hold, and the share of right values. */
export const summaryOf = (scores: ReadonlyArray<SetScore>) => {
  const checked = scores.flatMap(({ cases }) => cases.flatMap((one) => one.checked))
  const right = checked.filter(({ verdict }) => verdict === "right").length
  return {
    sets: scores.length,
    holding: scores.filter(({ holds }) => holds).length,
    cases: scores.reduce((sum, { cases }) => sum + cases.length, 0),
    values: checked.length,
    right
  }
}

/** The summary in a line. */
export const describeSummary = ({
  cases,
  holding,
  right,
  sets,
  values
}: ReturnType<typeof summaryOf>): string =>
  `${holding} of ${sets} test sets hold: ${right} of ${values} values in ${cases} documents are right`
