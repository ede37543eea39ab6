import { textOfWords } from "../../domain/LineText.ts"
import type { Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** How many words before an amount may say that it is a firm's capital. */
const wordsBefore = 4

/** The word of nearly all languages of Europe, and those of the others: `temeljni kapital 1.327.230,00 EUR`, `cap. soc.`, `törzstőke`. */
const capital =
  /(?:^|[\s,;(])\p{L}*(?:[ck]apit[aá]l|kapitał|imanie|tőke|osakepääoma|pääoma|κεφάλαιο|капитал)\p{L}*|\bcap\. ?soc\./iu

/** Whether an amount is the share capital that firms print in their foot in many countries. */
export const isShareCapital = (reading: Reading, { from, page, row }: Span): boolean => {
  const tokens = reading.pages[page]?.rows[row] ?? []
  const phrase = tokens[from]?.phrase
  const before = tokens
    .slice(Math.max(0, from - wordsBefore), from)
    .filter((token) => token.phrase === phrase)
  return capital.test(textOfWords(before))
}
