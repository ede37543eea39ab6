import {
  beginText,
  endText,
  PDFDocument,
  PDFHexString,
  PDFName,
  setFontAndSize,
  setTextMatrix,
  showText
} from "pdf-lib"

/** A string as it is seen from left to right, and where it begins: points from the page's top left to the baseline. */
export interface Seen {
  readonly text: string
  readonly x: number
  readonly y: number
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0")

/** A font's table from its codes to characters. */
const toUnicode = (letters: ReadonlyArray<string>): string => {
  const pairs = letters.map((letter, i) => `<${hex(i + 33, 2)}> <${hex(letter.codePointAt(0) ?? 0, 4)}>`)
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Seen def /CMapType 2 def",
    "1 begincodespacerange <00> <ff> endcodespacerange",
    `${pairs.length} beginbfchar`,
    ...pairs,
    "endbfchar endcmap end end"
  ].join("\n")
}

/**
 * A PDF whose letters mean what the given texts say: the standard fonts have no Hebrew or Arabic, but a table may say
 * of any glyph which character it is. Every glyph is half as wide as it is high (size 10). At most 90 characters differ.
 */
export const drawSeen = async (texts: ReadonlyArray<Seen>): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const page = document.addPage([595, 842])
  const letters = [...new Set(texts.flatMap(({ text }) => [...text]))]
  const { context } = document
  const font = context.obj({
    Type: "Font",
    Subtype: "Type1",
    BaseFont: "Courier",
    ToUnicode: context.register(context.flateStream(toUnicode(letters)))
  })
  const name = PDFName.of("Seen")
  page.node.setFontDictionary(name, context.register(font))
  page.pushOperators(beginText(), setFontAndSize(name, 10))
  for (const { text, x, y } of texts) {
    const codes = [...text].map((letter) => hex(letters.indexOf(letter) + 33, 2)).join("")
    page.pushOperators(setTextMatrix(1, 0, 0, 1, x, 842 - y), showText(PDFHexString.of(codes)))
  }
  page.pushOperators(endText())
  return document.save()
}
