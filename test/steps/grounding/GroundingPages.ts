import { Effect } from "effect"
import type { Box, DocumentIR, Page } from "../../../src/domain/DocumentIR.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { type Claim, evidenceAt, ground } from "../../../src/extraction/grounding/Ground.ts"
import { searchableText } from "../../../src/extraction/grounding/SearchableText.ts"

/** Some words in a row, from a place on. */
export interface Piece {
  readonly x: number
  readonly text: string
}

const letter = 6
const step = 14

const boxAround = (boxes: ReadonlyArray<Box>): Box => {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.w))
  const bottom = Math.max(...boxes.map((box) => box.y + box.h))
  return { x, y, w: right - x, h: bottom - y }
}

/** A page of rows; each row is one line of text, the pieces of a row are where they are put. */
export const pageOf = (
  rows: ReadonlyArray<string | ReadonlyArray<Piece>>,
  pageNumber = 1,
  source: NonNullable<Page["source"]> = "text-layer"
): Page => ({
  pageNumber,
  width: 595,
  height: 842,
  source,
  lines: rows.map((row, index) => {
    const pieces = typeof row === "string" ? [{ x: 50, text: row }] : row
    const words = pieces.flatMap(({ x, text }) =>
      [...text.matchAll(/\S+/gu)].map((match) => ({
        text: match[0],
        bbox: { x: x + letter * match.index, y: 20 + step * index, w: letter * match[0].length, h: 10 }
      }))
    )
    const text = pieces.map(({ text }) => text).join(" ")
    return {
      lineId: `p${pageNumber}_l${index + 1}`,
      text,
      bbox: boxAround(words.map(({ bbox }) => bbox)),
      startChar: 0,
      endChar: text.length,
      words
    }
  })
})

export const documentOf = (...pages: ReadonlyArray<Page>): DocumentIR => ({
  pages,
  extras: { pageCount: pages.length }
})

/** What a person would see in the box that a value was found in; undefined where it was found nowhere. */
export interface Seen {
  readonly page: number | undefined
  readonly words: string
  readonly quoted: boolean
  readonly box: Box | undefined
}

/** Looks for a value in a document. */
export const look = Effect.fnUntraced(function* (
  document: DocumentIR,
  definition: FieldDefinition,
  claim: Claim
): Effect.fn.Return<Seen | undefined> {
  const field = fieldOf("wanted", definition)
  const searchable = yield* searchableText(document, [field], undefined)
  const found = ground(searchable, field, claim)
  if (found === undefined) return undefined
  const { page, bbox } = evidenceAt(searchable, found.place)
  const words = (document.pages.find(({ pageNumber }) => pageNumber === page)?.lines ?? [])
    .flatMap((line) => line.words ?? [])
    .filter(({ bbox: { x, y, w, h } }) => {
      const [across, down] = [x + w / 2, y + h / 2]
      return (
        bbox !== undefined &&
        across > bbox.x &&
        across < bbox.x + bbox.w &&
        down > bbox.y &&
        down < bbox.y + bbox.h
      )
    })
    .map(({ text }) => text)
    .join(" ")
  return { page, words, quoted: found.quoted, box: bbox }
})
