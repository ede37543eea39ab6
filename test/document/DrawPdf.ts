import { degrees, PDFDocument, type PDFFont, StandardFonts } from "pdf-lib"

/** A string and where it begins: points from the top left of the page as it is shown, `y` at the baseline. */
export interface Drawn {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
  /** Degrees anticlockwise, as pdf-lib counts. */
  readonly angle?: number
}

export interface DrawnPage {
  readonly texts: ReadonlyArray<Drawn>
  readonly width?: number
  readonly height?: number
  /** Degrees clockwise that a viewer turns the page. */
  readonly rotate?: 0 | 90 | 180 | 270
  /** How far the visible part lies from the origin of the page's own coordinates. */
  readonly offset?: { readonly x: number; readonly y: number }
}

const place = (page: DrawnPage, { x, y }: Drawn, width: number, height: number): { x: number; y: number } => {
  const [left, bottom] = [page.offset?.x ?? 0, page.offset?.y ?? 0]
  switch (page.rotate ?? 0) {
    case 90:
      return { x: left + y, y: bottom + x }
    case 180:
      return { x: left + width - x, y: bottom + y }
    case 270:
      return { x: left + width - y, y: bottom + height - x }
    default:
      return { x: left + x, y: bottom + height - y }
  }
}

const drawPage = (document: PDFDocument, font: PDFFont, drawn: DrawnPage): void => {
  const { width = 595, height = 842, rotate = 0, offset = { x: 0, y: 0 } } = drawn
  const page = document.addPage([width, height])
  page.setMediaBox(0, 0, width + offset.x + 50, height + offset.y + 50)
  page.setCropBox(offset.x, offset.y, width, height)
  page.setRotation(degrees(rotate))
  for (const text of drawn.texts) {
    const at = place(drawn, text, width, height)
    page.drawText(text.text, {
      ...at,
      font,
      size: text.size ?? 10,
      rotate: degrees(rotate + (text.angle ?? 0))
    })
  }
}

/** Makes a PDF of some texts. Places are given as a reader sees the page, whatever its rotation and CropBox. */
export const drawPdf = async (pages: ReadonlyArray<DrawnPage>): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const page of pages) drawPage(document, font, page)
  return document.save()
}

/** Lines of text under each other from a place on. */
export const linesAt = (
  x: number,
  y: number,
  lines: ReadonlyArray<string>,
  size = 10
): ReadonlyArray<Drawn> => lines.map((text, i) => ({ text, x, y: y + i * size * 1.3, size }))

/** The width of a string in the font of `drawPdf`, in points. */
export const textWidth = async (text: string, size = 10): Promise<number> => {
  const document = await PDFDocument.create()
  return (await document.embedFont(StandardFonts.Helvetica)).widthOfTextAtSize(text, size)
}
