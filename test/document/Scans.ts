import {
  concatTransformationMatrix,
  drawObject,
  PDFDocument,
  popGraphicsState,
  pushGraphicsState
} from "pdf-lib"
import { deflateSync } from "node:zlib"
import type { PageImage } from "../../src/document/formats/FormatReader.ts"
import { load } from "../../src/document/formats/pdf/Pdf.ts"
import { loadSharp } from "../../src/document/formats/images/Sharp.ts"
import { defined } from "../../src/support/Defined.ts"

/** How a page is scanned. */
export interface ScanOptions {
  readonly format?: "png" | "jpeg" | "tiff" | "webp" | "gif"
  readonly dpi?: number
  /** Degrees clockwise that the paper lay turned. */
  readonly turned?: number
  /** The orientation that a camera writes (1–8). */
  readonly orientation?: number
}

/** A page of a PDF as a gray picture. */
export const grayPage = async (pdf: Uint8Array, dpi = 200): Promise<PageImage> => {
  const document = await (await load()).open(pdf)
  const image = await document.image(0, dpi)
  document.close()
  return image
}

/** A page of a PDF as a scanner or camera would give it. */
export const scanPage = async (pdf: Uint8Array, options: ScanOptions = {}): Promise<Buffer> => {
  const { format = "png", dpi = 200, turned = 0, orientation } = options
  const sharp = await loadSharp()
  const { width, height, pixels } = await grayPage(pdf, dpi)
  const paper = sharp(pixels, { raw: { width, height, channels: 1 } }).rotate(turned, { background: "#fff" })
  const metadata = { density: dpi, ...defined({ orientation }) }
  return paper.withMetadata(metadata).toFormat(format).toBuffer()
}

/** A picture as an object of a PDF. pdf-lib's own embedding takes seconds for a page, because it compresses in JavaScript. */
const embed = async (document: PDFDocument, picture: Uint8Array) => {
  const sharp = await loadSharp()
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const stream = document.context.stream(deflateSync(data, { level: 1 }), {
    Type: "XObject",
    Subtype: "Image",
    Width: info.width,
    Height: info.height,
    ColorSpace: info.channels === 1 ? "DeviceGray" : "DeviceRGB",
    BitsPerComponent: 8,
    Filter: "FlateDecode"
  })
  return { object: document.context.register(stream), width: info.width, height: info.height }
}

/** A PDF whose pages are nothing but pictures, as large as they say. */
export const picturePdf = async (pictures: ReadonlyArray<Uint8Array>, dpi = 200): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const embedded = new Map<Uint8Array, Awaited<ReturnType<typeof embed>>>()
  for (const picture of pictures) {
    const known = embedded.get(picture) ?? (await embed(document, picture))
    embedded.set(picture, known)
    const { height, object, width } = known
    const [pageWidth, pageHeight] = [(width * 72) / dpi, (height * 72) / dpi]
    const page = document.addPage([pageWidth, pageHeight])
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(pageWidth, 0, 0, pageHeight, 0, 0),
      drawObject(page.node.newXObject("Picture", object)),
      popGraphicsState()
    )
  }
  return document.save()
}
