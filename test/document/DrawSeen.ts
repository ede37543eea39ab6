import {
  beginText,
  endText,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFOperator,
  PDFOperatorNames as Ops,
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

/** The glyphs of a syllable under a mark with its text, as programs write them that set Thai or Hindi. */
export interface Syllable {
  readonly says: string
  readonly glyphs: ReadonlyArray<Seen>
}

const glyphsOf = (part: Seen | Syllable): ReadonlyArray<Seen> => ("says" in part ? part.glyphs : [part])

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0")

/** The code of a character in the font, from the first capital on: letters fill most of their width. */
const codeOf = (index: number): string => hex(((index + 32) % 94) + 33, 2)

/** A font's table from its codes to characters. */
const toUnicode = (letters: ReadonlyArray<string>): string => {
  const pairs = letters.map((letter, i) => `<${codeOf(i)}> <${hex(letter.codePointAt(0) ?? 0, 4)}>`)
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
export const drawSeen = async (parts: ReadonlyArray<Seen | Syllable>): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const page = document.addPage([595, 842])
  const seen = parts.flatMap(glyphsOf).map(({ text }) => text)
  const letters = [...new Set(seen.join(""))]
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
  for (const part of parts) {
    if ("says" in part) {
      const properties = context.obj({ ActualText: PDFHexString.fromText(part.says) }).toString()
      page.pushOperators(PDFOperator.of(Ops.BeginMarkedContentSequence, [PDFName.of("Span"), properties]))
    }
    for (const { text, x, y } of glyphsOf(part)) {
      const codes = [...text].map((letter) => codeOf(letters.indexOf(letter))).join("")
      page.pushOperators(setTextMatrix(1, 0, 0, 1, x, 842 - y), showText(PDFHexString.of(codes)))
    }
    if ("says" in part) page.pushOperators(PDFOperator.of(Ops.EndMarkedContent))
  }
  page.pushOperators(endText())
  return document.save()
}
