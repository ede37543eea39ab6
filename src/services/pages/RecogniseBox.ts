import { Effect } from "effect"
import type { DocumentReader } from "../../document/DocumentReader.ts"
import type { PageView } from "../../document/scan/PagePicture.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { InvalidDocument } from "../../domain/Errors.ts"

/** The longest side of the picture from which a box is cut, in pixels: about 280 per inch of a page of A4. */
export const recognitionSide = 3_300

/** The white border around the cut-out, in pixels: recognition misses lines that touch the edge. */
const border = 60

/** A box of a page, in points, as a picture with a white border. */
const cutOut = async (view: PageView, pageWidth: number, { h, w, x, y }: Box): Promise<Uint8Array> => {
  const scale = view.width / pageWidth
  const left = Math.min(view.width - 1, Math.max(0, Math.floor(x * scale)))
  const top = Math.min(view.height - 1, Math.max(0, Math.floor(y * scale)))
  const width = Math.max(1, Math.min(view.width - left, Math.ceil(w * scale)))
  const height = Math.max(1, Math.min(view.height - top, Math.ceil(h * scale)))
  // Loaded on first use: a service whose platform lacks it reads all documents that are not pictures.
  const { default: sharp } = await import("sharp")
  return sharp(view.bytes)
    .extract({ left, top, width, height })
    .extend({ top: border, bottom: border, left: border, right: border, background: "#ffffff" })
    .withMetadata({ density: 280 })
    .png()
    .toBuffer()
}

/**
 * The text in a box of a page, by recognition of that part of its picture; empty if nothing is recognised, or
 * recognition is off. `pageWidth` and the box are in points of the upright page.
 */
export const recogniseBox = Effect.fn("Pages.recogniseBox")(function* (
  reader: DocumentReader["Service"],
  view: PageView,
  pageWidth: number,
  box: Box
) {
  const bytes = yield* Effect.tryPromise({
    try: () => cutOut(view, pageWidth, box),
    catch: () => new InvalidDocument({ message: "The picture of the page cannot be read" })
  })
  const read = yield* Effect.mapError(
    reader.read(bytes, { mimeType: "image/png" }),
    ({ message }) => new InvalidDocument({ message })
  )
  return read.pages
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .join(" ")
    .trim()
})
