import { checkVatId } from "../values/CheckedNumbers.ts"
import type { PageModel, Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** How many rows above and below an account belong to its owner. */
const rowsOfOwner = 4

const accountName = /(?<![\p{L}\p{N}])(?:IBAN|BIC|SWIFT)(?![\p{L}\p{N}])/u
const iban = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\p{N}])/gu

const holdsAccount = (text: string): boolean => accountName.test(text) || text.search(iban) >= 0
// What is found may begin within what is not a number: `TVA BE 0784.102.336`. An account with a lost digit is none either.
const vatIds =
  /(?<![\p{L}\p{N}])(?=((?:CHE|[A-Z]{2})[- ]?(?:[A-Z\d][.\- ]?){7,12})(?!\s?\d)(?![\p{L}\p{N}]))/gu

const textOf = (tokens: ReadonlyArray<Token>): string => tokens.map(({ text }) => text).join(" ")

/** The fewest letters and digits of a VAT number with its country. */
const leastLetters = 9

/** The first words of a text that may be a VAT number: `DE231884907` of `DE231884907 BIC`. */
const shortestId = (text: string): string | undefined => {
  const words = text.trim().split(" ")
  return words
    .map((_, at) => words.slice(0, at + 1).join(" "))
    .find((part) => part.replace(/[^A-Z\d]/gu, "").length >= leastLetters && checkVatId(part) !== "none")
}

/** The VAT numbers with their country in a text, without spaces and points. */
export const vatIdsIn = (text: string): ReadonlyArray<string> =>
  [...text.replace(iban, "").matchAll(vatIds)].flatMap(([, found = ""]) => {
    const id = shortestId(found)
    return id === undefined ? [] : [id.replace(/[^A-Z\d]/gu, "")]
  })

const mostMisread = 2

/** Whether two VAT numbers are one, of which recognition may have misread a letter or two. */
export const isSameVatId = (one: string, other: string): boolean =>
  one.length === other.length && [...one].filter((letter, at) => letter !== other[at]).length <= mostMisread

const phrasesOf = (row: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Token>> => [
  ...Map.groupBy(row, ({ phrase }) => phrase).values()
]

const extent = (tokens: ReadonlyArray<Token>): readonly [number, number] => [
  Math.min(...tokens.map(({ x }) => x)),
  Math.max(...tokens.map(({ w, x }) => x + w))
]

/** The VAT numbers in the column of an account, a few rows around it, or anywhere in its row. */
const around = (page: PageModel, row: number, owned: ReadonlyArray<Token>): ReadonlyArray<string> => {
  const [left, right] = extent(owned)
  return page.rows.slice(Math.max(0, row - rowsOfOwner), row + rowsOfOwner + 1).flatMap((tokens) => {
    if (tokens === page.rows[row]) return vatIdsIn(textOf(tokens))
    const inColumn = phrasesOf(tokens).filter((phrase) => {
      const [from, to] = extent(phrase)
      return from < right && to > left
    })
    return inColumn.flatMap((phrase) => vatIdsIn(textOf(phrase)))
  })
}

/** A list of accounts says nothing about who is paid, and each of its numbers would be compared with each name. */
const mostPayees = 8

const known = new WeakMap<Reading, ReadonlyArray<string>>()

/** The VAT numbers printed next to a bank account: those of the one who is paid. */
export const payeeVatIds = (reading: Reading): ReadonlyArray<string> => {
  const before = known.get(reading)
  if (before !== undefined) return before
  const all = reading.pages.flatMap((page) =>
    page.rows.flatMap((tokens, row) =>
      phrasesOf(tokens).flatMap((phrase) => (holdsAccount(textOf(phrase)) ? around(page, row, phrase) : []))
    )
  )
  const distinct = [...new Set(all)]
  const found = distinct.length > mostPayees ? [] : distinct
  known.set(reading, found)
  return found
}
