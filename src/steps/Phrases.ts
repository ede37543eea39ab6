import type { Page } from "../domain/DocumentIR.ts"
import { plain } from "../extraction/lexicon/Fold.ts"

/** The number of lines at the top of a page that show what it is. */
const topLines = 8

/** The words of a string in small letters and without accents, each with a space on both sides. */
export const words = (text: string): string => ` ${(plain(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `

/** The words at the top of a page. */
export const topOf = (page: Page): string =>
  words(
    page.lines
      .slice(0, topLines)
      .map(({ text }) => text)
      .join("\n")
  )

/** Whether a phrase occurs in the `words` of a string, as whole words. */
export const hasPhrase = (text: string, phrase: string): boolean => {
  const wanted = words(phrase)
  return wanted.trim() !== "" && text.includes(wanted)
}
