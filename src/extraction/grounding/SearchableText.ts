import { Effect } from "effect"
import type { DocumentIR, Page } from "../../domain/DocumentIR.ts"
import { toUpright } from "../../domain/Slant.ts"
import type { DateOrder } from "../values/Dates.ts"
import type { Field } from "../lexicon/Field.ts"
import { type PageModel, wordsOf } from "../layout/PageModel.ts"
import { type Reading, readDocument } from "../layout/Reading.ts"
import { type DateIndex, indexDates } from "./DatePlaces.ts"
import { indexNumbers, type NumberIndex } from "./NumberPlaces.ts"
import { loosened, type TextRun, textRunOf } from "./TextRun.ts"

/** A page's text in two orders, each as printed and without punctuation. */
export interface SearchablePage {
  /** The lines as the reader put them, in reading order. */
  readonly lines: TextRun
  readonly looseLines: TextRun
  /** Rows over the whole width of the page, each from left to right. */
  readonly rows: TextRun
  readonly looseRows: TextRun
  /** Whether the text was recognised: letters may be misread. */
  readonly recognised: boolean
}

/** All that is written in a document, ready to be searched for values. */
export interface SearchableText {
  readonly reading: Reading
  readonly pages: ReadonlyArray<SearchablePage>
  readonly numbers: NumberIndex
  readonly dates: DateIndex
}

const linesOf = (page: Page): TextRun =>
  textRunOf(
    page.lines.flatMap((line, index) =>
      wordsOf(line).map(({ text, bbox }) => ({
        text,
        box: page.slant === undefined ? bbox : toUpright(page.slant, page, bbox),
        line: index
      }))
    )
  )

const rowsOf = (model: PageModel): TextRun =>
  textRunOf(
    model.rows.flatMap((row, line) =>
      row.map(({ text, x, y, w, h }) => ({ text, box: { x, y, w, h }, line }))
    )
  )

/** Reads a document for values to be found in it. Lets others run between pages. */
export const searchableText = Effect.fnUntraced(function* (
  document: DocumentIR,
  fields: ReadonlyArray<Field>,
  dateOrder: DateOrder | undefined
) {
  const reading = yield* readDocument(document, fields, dateOrder)
  const pages: Array<SearchablePage> = []
  for (const [index, page] of document.pages.entries()) {
    yield* Effect.yieldNow
    const lines = linesOf(page)
    const model = reading.pages[index]
    const rows = model === undefined ? textRunOf([]) : rowsOf(model)
    const loose = { looseLines: loosened(lines), looseRows: loosened(rows) }
    pages.push({ lines, rows, ...loose, recognised: page.source === "ocr" })
  }
  const searchable: SearchableText = {
    reading,
    pages,
    numbers: yield* indexNumbers(reading),
    dates: yield* indexDates(reading, dateOrder !== undefined)
  }
  return searchable
})
