import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"

/** The pages of a document that has been read: their number, and the size of each in points, turned upright. */
export const PageSizes = Schema.Struct({
  pageCount: Schema.Int,
  hasPictures: Schema.Boolean.annotate({
    description:
      "Whether pages have pictures: those of PDFs, scans and photos do, those of text formats do not."
  }),
  pages: Schema.Array(
    Schema.Struct({ page: Schema.Int, width: Schema.Finite, height: Schema.Finite })
  ).annotate({ description: "The pages that were read." }),
  attachments: Schema.Array(
    Schema.Struct({
      attachment: Schema.String.annotate({
        description: "Its number, for `attachment` in requests of its pages."
      }),
      name: Schema.String,
      pageCount: Schema.Int
    })
  ).annotate({ description: "The files inside the document that steps opened, such as those of a mail." })
}).annotate({ identifier: "PageSizes" })
export type PageSizes = typeof PageSizes.Type

/** The place of a field, or of a cell of a table, on a page. */
export const FieldPlace = Schema.Struct({
  step: Schema.String,
  field: Schema.String,
  row: Schema.optionalKey(Schema.Int.annotate({ description: "Row of a table, from 0." })),
  column: Schema.optionalKey(Schema.String),
  bbox: Box
})
export type FieldPlace = typeof FieldPlace.Type

/** A line of text with its words. */
const TextLine = Schema.Struct({
  text: Schema.String,
  words: Schema.Array(Schema.Struct({ text: Schema.String, bbox: Box }))
})

/**
 * The text layer of a page. Boxes are in points from the top left of the upright page; they match its picture, which is
 * turned the same way, after scaling.
 */
export const PageText = Schema.Struct({
  page: Schema.Int,
  width: Schema.Finite,
  height: Schema.Finite,
  turns: Schema.Literals([0, 1, 2, 3]).annotate({
    description:
      "Quarter turns, clockwise, that made the page upright. Evidence in artifacts has boxes on the page before them."
  }),
  source: Schema.optionalKey(Schema.Literals(["text-layer", "ocr", "none"])),
  problem: Schema.optionalKey(Schema.String),
  lines: Schema.Array(TextLine),
  places: Schema.Array(FieldPlace).annotate({ description: "Where fields were found on this page." })
}).annotate({ identifier: "PageText" })
export type PageText = typeof PageText.Type
