import { Effect, Schema } from "effect"
import { sureFrom } from "../src/domain/Evidence.ts"
import { documentKindOf, knownKind } from "../src/extraction/kinds/DocumentKind.ts"
import { CurrentLexicon } from "../src/extraction/lexicon/CurrentLexicon.ts"
import { pageModel } from "../src/extraction/layout/PageModel.ts"
import type { Example } from "./Example.ts"
import { judge, judgeRows } from "./Judgements.ts"

/** The value of a field, or a kind or a table: right or not. */
export const Entry = Schema.Struct({
  set: Schema.String,
  issuer: Schema.String,
  document: Schema.String,
  field: Schema.String,
  value: Schema.Unknown,
  truth: Schema.Unknown,
  confidence: Schema.Finite,
  right: Schema.Boolean
})
export type Entry = typeof Entry.Type

const hasText = ({ document }: Example): boolean => document.pages.every(({ source }) => source !== "ocr")

/** A document of another kind, whose fields must all stay empty. */
const isOfOtherKind = ({ truth }: Example): boolean =>
  Object.values(truth).every((truths) => truths.length === 0)

/** The group of a document: its set, whether it is real, its flow, and how it reached docflow. */
const setOf = (example: Example, as: string): string => {
  const { flow, real, source } = example
  const sample = source === "second" || source === "third" ? (real ? " real" : " samples") : ""
  return `${source}${sample} ${isOfOtherKind(example) ? "others" : `${flow}s`}, ${as === "pdf" ? (hasText(example) ? "digital" : "recognized") : as}`
}

/** What is found in an example: each value, the rows of its table, its table and its kind. */
export const entriesOf = Effect.fnUntraced(function* (example: Example, as: string) {
  const { judgements, table } = yield* judge(example)
  const lexicon = yield* CurrentLexicon
  const known = {
    set: setOf(example, as),
    issuer: example.family,
    document: `${example.source}/${example.name}`
  }
  // A document of another kind has a currency all the same.
  const own = judgements.filter(({ field }) => field !== "currency" || !isOfOtherKind(example))
  const entries = own.map(({ evidence, field, right }): Entry =>
    Object.assign(
      { field, right, value: evidence?.value ?? null, confidence: evidence?.confidence ?? 0 },
      { truth: example.truth[field] ?? [] },
      known
    )
  )
  const judged = (example.tables ?? []).map((rows) => judgeRows(table, rows))
  const best = judged.toSorted(
    (a, b) => Number(b.isExact) - Number(a.isExact) || share(b.lines) - share(a.lines)
  )[0]
  for (const [at, { line, right, row }] of (best?.lines ?? []).entries())
    entries.push({ ...known, field: `row ${at + 1}`, value: row ?? null, truth: line, confidence: 0, right })
  if (best !== undefined)
    entries.push({
      ...known,
      field: "table",
      value: best.rows,
      truth: best.lines.length,
      confidence: table?.confidence ?? 0,
      right: best.isExact
    })
  if (example.kinds !== undefined) {
    const { kind } =
      knownKind(example.document) ??
      documentKindOf(
        example.document.pages.map((page) => pageModel(page, lexicon)),
        lexicon
      )
    const right = example.kinds.includes(kind) || (kind === "other" && example.kinds.includes("text"))
    entries.push({ ...known, field: "kind", value: kind, truth: example.kinds, confidence: 0, right })
  }
  return entries
})

const share = (lines: ReadonlyArray<{ readonly right: boolean }>): number =>
  lines.filter(({ right }) => right).length / Math.max(1, lines.length)

/** Whether it is the value of a field, and not a kind, a table or a row. */
export const isPlain = ({ field }: Entry): boolean =>
  field !== "kind" && field !== "table" && !field.startsWith("row ")

/** Whether it is the value of a field of an invoice or a receipt: a document of another kind has none. */
export const isScored = (entry: Entry): boolean => isPlain(entry) && !entry.set.includes(" others")

/** Whether a value is claimed with confidence. */
export const isSure = ({ confidence }: Entry): boolean => confidence >= sureFrom
