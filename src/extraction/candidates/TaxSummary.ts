import { rowKey } from "../layout/Candidate.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Reading } from "../layout/Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"

const headings = ofLexicon((lexicon) => wholeWords(lexicon.words("taxSummary")))
const columnHeadings = ofLexicon(
  (lexicon) => new RegExp(wholeWords(lexicon.words("taxColumns")).source, "giu")
)
const taxes = ofLexicon((lexicon) => wholeWords(lexicon.words("taxes")))

/** A row begins with the code or the rate of a tax: `SR @ 6%`, `A 7%`, `20%`. */
const rate = /^\W*(?:[A-Z]{1,3}\b\W*)?(?:@\s*)?\d{1,2}(?:[.,]\d{1,2})?\s?%/u

const mostRows = 8
const sure = 0.7

/** Whether one amount of a row is the sum of two others, or the tax of another at a rate that exists. */
const addsUp = (amounts: ReadonlyArray<number>): boolean =>
  amounts.some((net, i) =>
    amounts.some(
      (tax, j) =>
        i !== j &&
        net > 0 &&
        tax > 0 &&
        amounts.some((gross, k) => k > Math.max(i, j) && Math.abs(net + tax - gross) < 0.015)
    )
  )

const found = new WeakMap<Reading, ReadonlySet<string>>()

/**
 * The rows of the blocks that list net amount and tax for each rate, the last of a receipt: `SR @ 6% 38.71 2.44`. A block
 * begins with its heading, or with two rows of a rate and amounts; it ends with the first row without two amounts. The
 * amounts in it are parts of the total, and its own "Total" is the sum before tax.
 */
export const taxSummaryRows = (reading: Reading): ReadonlySet<string> => {
  const known = found.get(reading)
  if (known !== undefined) return known
  const rows = new Set<string>()
  const [heading, tax] = [headings(reading.lexicon), taxes(reading.lexicon)]
  const columns = columnHeadings(reading.lexicon)
  for (const [p, page] of reading.pages.entries()) {
    let left = 0
    for (const [row, tokens] of page.rows.entries()) {
      const key = rowKey(p, row)
      const text = textOfWords(tokens)
      const amounts = (reading.moneyByRow.get(key) ?? []).filter(({ quality }) => quality >= sure)
      const values = amounts.map(({ value }) => value)
      const begins = amounts.length === 0 && (heading.test(text) || isHeading(text, tax, columns))
      const alone = amounts.length >= 2 && rate.test(text) && (addsUp(values) || tax.test(text))
      if (begins) left = mostRows
      else if (left > 0 && amounts.length >= 2) {
        rows.add(key)
        left--
      } else if (alone) rows.add(key)
      else if (amounts.length < 2 && !rate.test(text))
        left = amounts.length === 0 && left === mostRows ? left - 1 : 0
    }
  }
  found.set(reading, rows)
  return rows
}

/** The headings of its columns: the name of a tax and two of net, gross, amount, rate. */
const isHeading = (text: string, tax: RegExp, columns: RegExp): boolean =>
  tax.test(text) && (text.match(columns)?.length ?? 0) >= 2
