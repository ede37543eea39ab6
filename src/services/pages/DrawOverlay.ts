import { Effect } from "effect"
import { PDFDocument, type PDFPage, rgb, StandardFonts } from "pdf-lib"
import sharp from "sharp"
import { DocumentReader } from "../../document/DocumentReader.ts"
import type { Box, Page } from "../../domain/DocumentIR.ts"
import { type FieldEvidence, sureFrom } from "../../domain/Evidence.ts"

/** A box to draw on a page. */
interface OverlayBox {
  readonly page: number
  readonly box: Box
  /** The name of the field; absent for the cells of a table. */
  readonly label?: string
  /** Whether the value is sure. */
  readonly isSure: boolean
}

/** The boxes of fields, and of the cells of tables. */
const overlayBoxes = (fields: { readonly [name: string]: FieldEvidence }): ReadonlyArray<OverlayBox> =>
  Object.entries(fields).flatMap(
    ([label, { bbox, cells = [], confidence, file, page }]): ReadonlyArray<OverlayBox> => {
      // Fields of attachments are skipped: the box would be on the wrong page.
      if (file !== undefined) return []
      const inside: ReadonlyArray<OverlayBox> = cells.flatMap((row) =>
        Object.values(row).map((cell) => ({
          page: cell.page,
          box: cell.bbox,
          isSure: cell.confidence >= sureFrom
        }))
      )
      if (bbox === undefined || page === undefined) return inside
      return inside.concat({ page, box: bbox, label, isSure: confidence >= sureFrom })
    }
  )

/** A document with the boxes of its fields drawn on its pages. */
export interface Overlay {
  readonly bytes: Uint8Array
  readonly ending: "pdf" | "png"
}

/** A page and its picture, made in the sandbox: the document's own bytes are not decoded here. */
interface DrawnPage {
  readonly page: Page
  readonly picture: Uint8Array
}

const green = rgb(0.05, 0.5, 0.2)
const orange = rgb(0.85, 0.4, 0)

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const svgOf = (
  { page }: DrawnPage,
  width: number,
  height: number,
  boxes: ReadonlyArray<OverlayBox>
): string => {
  const [x, y] = [width / page.width, height / page.height]
  const size = Math.max(11, height / 90)
  const shapes = boxes.map(({ box, isSure, label }) => {
    const colour = isSure ? "#0d8033" : "#d96600"
    const rect = `<rect x="${box.x * x}" y="${box.y * y}" width="${box.w * x}" height="${box.h * y}" fill="none" stroke="${colour}" stroke-width="2"/>`
    return label === undefined
      ? rect
      : `${rect}<text x="${box.x * x}" y="${Math.max(size, box.y * y - 3)}" font-family="sans-serif" font-size="${size}" fill="${colour}">${escaped(label)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join("")}</svg>`
}

const toPng = (drawn: DrawnPage, boxes: ReadonlyArray<OverlayBox>) =>
  Effect.promise(async () => {
    const image = sharp(drawn.picture)
    const { height, width } = await image.metadata()
    const svg = Buffer.from(svgOf(drawn, width, height, boxes))
    return new Uint8Array(
      await image
        .toColourspace("srgb")
        .composite([{ input: svg }])
        .png()
        .toBuffer()
    )
  })

/** Text that Helvetica can print: letters outside of Western Europe become question marks. */
const printable = (text: string): string => text.replaceAll(/[^\u0020-\u007E\u00A0-\u00FF]/gu, "?")

const drawBox = (onto: PDFPage, { box, isSure, label }: OverlayBox, height: number): void => {
  const colour = isSure ? green : orange
  const bottom = height - box.y - box.h
  onto.drawRectangle({
    x: box.x,
    y: bottom,
    width: box.w,
    height: box.h,
    borderColor: colour,
    borderWidth: 0.8
  })
  if (label === undefined) return
  onto.drawText(printable(label), { x: box.x, y: bottom + box.h + 1.5, size: 6, color: colour })
}

const toPdf = (pages: ReadonlyArray<DrawnPage>, boxes: ReadonlyArray<OverlayBox>) =>
  Effect.promise(async () => {
    const pdf = await PDFDocument.create()
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    for (const { page, picture } of pages) {
      const { height, width } = page
      const onto = pdf.addPage([width, height])
      onto.setFont(font)
      onto.drawImage(await pdf.embedJpg(picture), { x: 0, y: 0, width, height })
      for (const one of boxes) if (one.page === page.pageNumber) drawBox(onto, one, height)
    }
    return pdf.save()
  })

/**
 * Draws the boxes of a run's fields onto pictures of the pages: a PNG for a picture, a PDF for any other document.
 * Boxes of sure values (0.9 or more) are green, others orange. Fails for documents whose pages have no picture, such as
 * spreadsheets.
 */
export const drawOverlay = Effect.fn("drawOverlay")(function* (
  bytes: Uint8Array,
  fields: { readonly [name: string]: FieldEvidence }
) {
  const reader = yield* DocumentReader
  const { mimeType } = yield* reader.inspect(bytes)
  const { pages } = yield* reader.read(bytes, { mimeType, ocr: "off" })
  const make = yield* reader.pictures(bytes, mimeType)
  const drawn = yield* Effect.forEach(pages, (page) =>
    Effect.map(make({ pageNumber: page.pageNumber, width: page.width, height: page.height }), (picture) => ({
      page,
      // A copy: pdf-lib reads from the start of the buffer, which may be shared.
      picture: Uint8Array.from(picture.bytes)
    }))
  )
  const boxes = overlayBoxes(fields)
  const [only] = drawn
  const overlay: Overlay =
    only !== undefined && drawn.length === 1 && mimeType.startsWith("image/")
      ? { bytes: yield* toPng(only, boxes), ending: "png" }
      : { bytes: yield* toPdf(drawn, boxes), ending: "pdf" }
  return overlay
})
