import type { Finder } from "./Finder.ts"
import { rowKey } from "../candidates/Candidate.ts"
import type { Field } from "../Field.ts"
import { merchantsOf } from "./Merchant.ts"
import { around } from "../page/PageModel.ts"
import { namesIn } from "../page/NamesIn.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import type { Reading } from "../page/Reading.ts"

/** A telephone number of North America, which ends the lines of an address on a receipt. */
const telephone = /^\W*\d{3}\W+\d{3}\W\d{4}\W*$/u
const place = /\d{4,6}|,/u
const mostRows = 6

/** A row with a date or an amount belongs to the receipt itself. */
const isGoods = (reading: Reading, row: number): boolean =>
  reading.dates.some(({ span }) => span.page === 0 && span.row === row) ||
  (reading.moneyByRow.get(rowKey(0, row)) ?? []).some(({ quality }) => quality >= 0.7)

/** The lines under the shop's name up to its telephone number, its tax number or the receipt itself. */
export const addressesOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const page = reading.pages[0]
  const [merchant] = merchantsOf(reading, field)
  if (page === undefined || merchant === undefined) return []
  const words = namesIn(reading)
  const isNumberOfCompany = (line: string): boolean =>
    /^\W*\d{4,}[\s-]?\w?\W*$/u.test(line) || (words.beginsRegistration(line) && /\d{4}/u.test(line))
  const rows: Array<number> = []
  for (let row = merchant.span.row + 1; row < page.rows.length && rows.length < mostRows; row++) {
    const text = (page.rows[row] ?? []).map((token) => token.text).join(" ")
    const belongsToName = isNumberOfCompany(text) || words.endsInForm(text) || merchant.text.endsWith(text)
    if (rows.length === 0 && belongsToName) continue
    if (telephone.test(text) || words.isContact(text) || words.isAboutReceipt(text) || isGoods(reading, row))
      break
    rows.push(row)
  }
  const tokens = rows.flatMap((row) => page.rows[row] ?? [])
  const [first] = rows
  if (first === undefined || tokens.length === 0) return []
  const text = tokens.map((token) => token.text).join(" ")
  const score = (place.test(text) || words.isStreet(text) ? 0.6 : 0.25) * (0.5 + 0.5 * merchant.score)
  const span = { page: 0, row: first, from: 0, to: (page.rows[first] ?? []).length - 1 }
  return [{ span, bbox: around(tokens), text, value: text, quality: 0.8, score }]
}

/** Finds the address under the name of a shop. */
export const addressFinder: Finder = { find: addressesOf }
