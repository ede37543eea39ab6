import { Effect } from "effect"
import type { DocumentIR, Page } from "../../../domain/DocumentIR.ts"
import { toUpright } from "../../../domain/Slant.ts"
import type { DateOrder } from "../candidates/Dates.ts"
import type { Field } from "../Field.ts"
import { type PageModel, wordsOf } from "../page/PageModel.ts"
import { type Reading, readDocument } from "../page/Reading.ts"
import { type DateIndex, indexDates } from "./DatePlaces.ts"
import { indexNumbers, type NumberIndex } from "./NumberPlaces.ts"
import { loosened, type Strand, strandOf } from "./Strand.ts"

/** A page's text in two orders, each as printed and without punctuation. */
export interface InkPage {
  /** The lines as the reader put them, in reading order. */
  readonly lines: Strand
  readonly looseLines: Strand
  /** Rows over the whole width of the page, each from left to right. */
  readonly rows: Strand
  readonly looseRows: Strand
  /** Whether the text was recognised: letters may be misread. */
  readonly recognised: boolean
}

/** All that is written in a document, ready to be searched for values. */
export interface Ink {
  readonly reading: Reading
  readonly pages: ReadonlyArray<InkPage>
  readonly numbers: NumberIndex
  readonly dates: DateIndex
}

const linesOf = (page: Page): Strand =>
  strandOf(
    page.lines.flatMap((line, index) =>
      wordsOf(line).map(({ text, bbox }) => ({
        text,
        box: page.slant === undefined ? bbox : toUpright(page.slant, page, bbox),
        line: index
      }))
    )
  )

const rowsOf = (model: PageModel): Strand =>
  strandOf(
    model.rows.flatMap((row, line) =>
      row.map(({ text, x, y, w, h }) => ({ text, box: { x, y, w, h }, line }))
    )
  )

/** Reads a document for values to be found in it. Lets others run between pages. */
export const inkOf = Effect.fnUntraced(function* (
  document: DocumentIR,
  fields: ReadonlyArray<Field>,
  dateOrder: DateOrder | undefined
) {
  const reading = yield* readDocument(document, fields, dateOrder)
  const pages: Array<InkPage> = []
  for (const [index, page] of document.pages.entries()) {
    yield* Effect.yieldNow
    const lines = linesOf(page)
    const model = reading.pages[index]
    const rows = model === undefined ? strandOf([]) : rowsOf(model)
    const loose = { looseLines: loosened(lines), looseRows: loosened(rows) }
    pages.push({ lines, rows, ...loose, recognised: page.source === "ocr" })
  }
  const ink: Ink = {
    reading,
    pages,
    numbers: yield* indexNumbers(reading),
    dates: yield* indexDates(reading, dateOrder !== undefined)
  }
  return ink
})
