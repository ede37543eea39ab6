import type { Page } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"
import { type Lexicon, ofLexicon } from "../extract/lexicon/Lexicon.ts"
import { anyOf } from "../extract/lexicon/WordPatterns.ts"

/** The whole text of a page that says that it is left blank. */
const saidBlank = ofLexicon(
  (lexicon) => new RegExp(String.raw`^\W*${anyOf(lexicon.words("blankPage"))}\W*$`, "iu")
)

/** Specks on a scanned page are recognised as a few letters that nobody is sure of. */
const mostSpecks = 6
const speckConfidence = 0.5

const isSpecks = ({ lines, source }: Page): boolean => {
  if (source !== "ocr") return false
  const words = lines.flatMap((line) => line.words ?? [])
  const letters = (
    lines
      .map(({ text }) => text)
      .join("")
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).length
  const unsure = words.every(
    ({ confidence = 1, text }) => confidence < speckConfidence || !/[\p{L}\p{N}]/u.test(text)
  )
  return letters === 0 || (letters <= mostSpecks && words.length > 0 && unsure)
}

/** Whether nothing is on a page. One that could not be read is not blank: nobody knows what is there. */
export const isBlank = (page: Page, lexicon: Lexicon): boolean => {
  if (page.problem !== undefined) return false
  const text = pageText(page).trim()
  return text === "" || saidBlank(lexicon).test(text) || isSpecks(page)
}
