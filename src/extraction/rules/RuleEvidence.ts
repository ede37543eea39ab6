import { hundredths } from "../../support/Cents.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { type CellEvidence, type FieldEvidence, missing } from "../../domain/Evidence.ts"
import { confidenceOf, type Ranked } from "../candidates/Ranked.ts"
import { around, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Chosen } from "../sums/Sums.ts"
import type { FoundTable } from "../tables/FoundTable.ts"
import type { TableItem } from "../tables/TableItems.ts"
import { isConsistent } from "../tables/TableRow.ts"

const round = (value: number): number => hundredths(Math.min(0.99, value))

/** A value that follows from the document but does not appear in it. */
const inferred = (value: unknown, confidence: number): FieldEvidence => ({
  value,
  confidence: round(confidence),
  status: "inferred",
  by: "rules"
})

const pageNumberOf = (reading: Reading, page: number): number => reading.pages[page]?.pageNumber ?? 1

const onPage = (reading: Reading, page: number, box: Box): Box => {
  const placed = reading.pages[page]?.toPage(box) ?? box
  return {
    x: hundredths(placed.x),
    y: hundredths(placed.y),
    w: hundredths(placed.w),
    h: hundredths(placed.h)
  }
}

/** The confidence in a value after recognition, by its least sure word. */
const recognised = (reading: Reading, { span }: Ranked): number =>
  0.4 + 0.6 * Math.min(1, ...tokensOf(reading.pages, span).map(({ confidence }) => confidence ?? 1))

const at = (reading: Reading, found: Ranked, confidence: number): FieldEvidence => ({
  value: found.value,
  confidence: round(confidence * recognised(reading, found)),
  status: "grounded",
  page: reading.pages[found.span.page]?.pageNumber ?? 1,
  bbox: onPage(reading, found.span.page, found.bbox),
  text: found.text,
  by: "rules"
})

/** The first candidate, with its position. */
export const grounded = (reading: Reading, ranked: ReadonlyArray<Ranked>): FieldEvidence => {
  const [first] = ranked
  if (first === undefined) return missing
  const confidence = confidenceOf(ranked)
  return first.computed === true ? inferred(first.value, confidence) : at(reading, first, confidence)
}

/** An amount; sums that add up raise the confidence, rivals lower it. */
export const moneyEvidence = (
  reading: Reading,
  chosen: Chosen | undefined,
  ranked: ReadonlyArray<Ranked> | undefined
): FieldEvidence => {
  if (chosen === undefined) return missing
  if (chosen.inferred) return inferred(chosen.value, chosen.score)
  const others = (ranked ?? []).filter(({ value }) => value !== chosen.value)
  const alone = confidenceOf([chosen, ...others])
  // Each sum that holds leaves a quarter of the doubt.
  const confidence = 1 - (1 - alone) * 0.25 ** chosen.agrees
  return chosen.computed === true ? inferred(chosen.value, confidence) : at(reading, chosen, confidence)
}

/** The maximum confidence of a figure in a row that fails its arithmetic. */
const wrongFigure = 0.5
const figures: ReadonlySet<string> = new Set(["quantity", "unitPrice", "amount"])

const cellsOf = (
  reading: Reading,
  { cells, others, page, values }: TableItem,
  quality: number
): Record<string, CellEvidence> =>
  Object.fromEntries(
    [...cells].flatMap(([name, tokens]) => {
      if ((values[name] ?? null) === null) return []
      const least = Math.min(1, ...tokens.map(({ confidence }) => confidence ?? 1))
      const wrong = figures.has(name) && isConsistent({ values, others }) === false
      const confidence = round(Math.min(quality, wrong ? wrongFigure : 1) * (0.4 + 0.6 * least))
      const text = textOfWords(tokens)
      return [
        [
          name,
          { page: pageNumberOf(reading, page), bbox: onPage(reading, page, around(tokens)), text, confidence }
        ]
      ]
    })
  )

/** The rows of a table, the box around those on its first page, and the box of each cell. */
export const tableEvidence = (reading: Reading, table: FoundTable): FieldEvidence => {
  const { bbox, doubts, items, page, quality } = table
  return {
    value: items.map(({ values }) => values),
    confidence: round(quality),
    status: "grounded",
    page: pageNumberOf(reading, page),
    bbox: onPage(reading, page, bbox),
    by: "rules",
    cells: items.map((item) => cellsOf(reading, item, quality)),
    ...(doubts.length === 0 ? {} : { doubts })
  }
}
