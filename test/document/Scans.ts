import { PDFDocument } from "pdf-lib"
import type { PageImage } from "../../src/document/formats/FormatReader.ts"
import { load } from "../../src/document/formats/Pdf.ts"
import { loadSharp } from "../../src/document/formats/Sharp.ts"
import { defined } from "../../src/domain/Defined.ts"

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

/** A PDF whose pages are nothing but pictures, as large as they say. */
export const picturePdf = async (pngs: ReadonlyArray<Uint8Array>, dpi = 200): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  for (const png of pngs) {
    const picture = await document.embedPng(png)
    const [width, height] = [(picture.width * 72) / dpi, (picture.height * 72) / dpi]
    document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height })
  }
  return document.save()
}
