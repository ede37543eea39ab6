import type { Pdfium } from "./Pdfium.ts"

/** Longer names are cut. */
const nameSize = 120

/** Bold by name, also in the names of TeX's fonts; the weights that PDFs state are often missing or wrong. */
const boldName = /bold|black|heavy|(?:^|\+)(?:CM|SF|EC)B[XS]?\d|-Demi/iu

/**
 * Tells whether a character of a text page is bold. Queries each font once; `scratch` has space for a name of 120
 * bytes.
 */
export const boldCharacters = (
  { api, heaps, hot }: Pdfium,
  text: number,
  scratch: number
): ((character: number) => boolean) => {
  const known = new Map<number, boolean>()
  return (character) => {
    const object = hot.FPDFText_GetTextObject(text, character)
    const font = object === 0 ? 0 : hot.FPDFTextObj_GetFont(object)
    if (font === 0) return false
    const before = known.get(font)
    if (before !== undefined) return before
    const length = Math.min(nameSize, api.FPDFFont_GetBaseFontName(font, scratch, nameSize))
    const name = Buffer.from(heaps.HEAPU8.subarray(scratch, scratch + Math.max(0, length - 1))).toString(
      "latin1"
    )
    known.set(font, boldName.test(name))
    return boldName.test(name)
  }
}
