import { Schema } from "effect"
import { pageText } from "./LineText.ts"
import { Attachment } from "./Attachment.ts"
import { EmbeddedInvoice } from "./EmbeddedInvoice.ts"

/** A rectangle in PDF points, measured from the page's top left corner. */
export const Box = Schema.Struct({
  x: Schema.Finite,
  y: Schema.Finite,
  w: Schema.Finite,
  h: Schema.Finite
})
export type Box = typeof Box.Type

/** One word as printed on the page; `confidence` is 0–1, and only present after OCR. */
export const Word = Schema.Struct({
  text: Schema.String,
  bbox: Box,
  confidence: Schema.optionalKey(Schema.Finite)
})
export type Word = typeof Word.Type

/**
 * One visual line of text. `startChar` and `endChar` are offsets into the page's text, which is its lines joined
 * with a line feed; `lineId` reads `p1_l5` for the fifth line of the first page.
 */
export const Line = Schema.Struct({
  lineId: Schema.String,
  text: Schema.String,
  bbox: Box,
  startChar: Schema.Int,
  endChar: Schema.Int,
  words: Schema.optionalKey(Schema.Array(Word))
})
export type Line = typeof Line.Type

/** A table found on a page, row by row; a cell that is empty has the text "". */
export const Table = Schema.Struct({
  bbox: Box,
  rows: Schema.Array(Schema.Array(Schema.Struct({ text: Schema.String, bbox: Schema.optionalKey(Box) })))
})
export type Table = typeof Table.Type

/** One page. `source` tells where its text came from; `problem` says why a page could not be read. */
export const Page = Schema.Struct({
  pageNumber: Schema.Int.annotate({ description: "Number of the page, counted from 1." }),
  width: Schema.Finite.annotate({ description: "Width in PDF points (1/72 inch)." }),
  height: Schema.Finite.annotate({ description: "Height in PDF points." }),
  lines: Schema.Array(Line).annotate({
    description: "Lines as printed, with their words and bounding boxes."
  }),
  tables: Schema.optionalKey(Schema.Array(Table).annotate({ description: "Tables, row by row." })),
  markdown: Schema.optionalKey(Schema.String.annotate({ description: "The page as Markdown." })),
  source: Schema.optionalKey(
    Schema.Literals(["text-layer", "ocr", "none"]).annotate({
      description: "Where the text comes from: the file itself, OCR, or nowhere."
    })
  ),
  problem: Schema.optionalKey(Schema.String.annotate({ description: "Why the page could not be read." })),
  recognition: Schema.optionalKey(
    Schema.Struct({
      engine: Schema.String,
      languages: Schema.optionalKey(Schema.Array(Schema.String)),
      warning: Schema.optionalKey(Schema.String)
    }).annotate({
      description: "How a scanned page was recognized: engine, languages, and a warning about the result."
    })
  ),
  slant: Schema.optionalKey(
    Schema.Struct({ turns: Schema.Literals([0, 1, 2, 3]), skew: Schema.Finite }).annotate({
      description:
        "How the text runs on a scanned page that is not upright or straight: quarter turns and an angle. Bounding boxes refer to the page as it was sent."
    })
  )
})
export type Page = typeof Page.Type

/** The intermediate representation that every reader produces and every step reads. */
export const DocumentIR = Schema.Struct({
  pages: Schema.Array(Page).annotate({ description: "Pages of the document." }),
  extras: Schema.StructWithRest(
    Schema.Struct({
      pageCount: Schema.Int.annotate({ description: "Number of pages of the whole document." }),
      attachments: Schema.optionalKey(
        Schema.Array(Attachment).annotate({ description: "Files inside the document, the first 100." })
      ),
      attachment: Schema.optionalKey(
        Schema.Struct({ path: Schema.Array(Schema.Int), name: Schema.String }).annotate({
          description: "If the document is an attachment of the document that was sent: its path and name."
        })
      ),
      invoice: Schema.optionalKey(
        EmbeddedInvoice.annotate({ description: "The electronic invoice that the document contains or is." })
      )
    }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  ).annotate({ description: "Facts about the whole document." })
})
export type DocumentIR = typeof DocumentIR.Type

/** The text of a document: its pages joined with a form feed, as `pdftotext` does. */
export const documentText = (document: DocumentIR): string => document.pages.map(pageText).join("\n\f")

/** A document as Markdown: its pages with an empty line between them, a page without Markdown as its text. */
export const documentMarkdown = (document: DocumentIR): string =>
  document.pages
    .map((page) => page.markdown ?? pageText(page))
    .filter((markdown) => markdown !== "")
    .join("\n\n")

/** The number of words in a document. */
export const wordCount = (document: DocumentIR): number =>
  document.pages.reduce(
    (total, page) =>
      total + page.lines.reduce((sum, line) => sum + (line.text.match(/\S+/gu)?.length ?? 0), 0),
    0
  )

/** Warnings about recognised pages, such as a language without data; each sentence once. */
export const recognitionWarnings = (document: DocumentIR): ReadonlyArray<string> => [
  ...new Set(document.pages.flatMap(({ recognition }) => recognition?.warning ?? []))
]
