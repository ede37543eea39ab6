import { findPhoneNumbersInText, isSupportedCountry } from "libphonenumber-js"
import {
  checkVatId,
  emailIn,
  ibanLength,
  isIban,
  isNationalVatId,
  withoutGaps
} from "../values/CheckedNumbers.ts"
import { inLanguages, parseDate } from "../values/Dates.ts"
import { parsePercent } from "../values/Numbers.ts"
import { pageLanguages } from "../layout/PageLanguages.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { countryOf } from "./CountryEvidence.ts"
import { around, type Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"

type Row = ReadonlyArray<Token>

interface Taken {
  readonly to: number
  readonly value: string | number
  readonly quality: number
}

/** Reads a value that begins at a token of a row. */
type Reader = (row: Row, from: number) => Taken | undefined

const bare = (text: string): string => text.replace(/^[("'[]+|[)"'\],;:]+$/gu, "")

const percentAt: Reader = (row, from) => {
  const text = bare(row[from]?.text ?? "")
  const to = text.endsWith("%") ? from : from + 1
  if (to > from && row[to]?.text.startsWith("%") !== true) return undefined
  const value = parsePercent(text)
  return value === undefined ? undefined : { to, value, quality: 1 }
}

const emailAt: Reader = (row, from) => {
  const value = emailIn(row[from]?.text ?? "")
  return value === undefined ? undefined : { to: from, value, quality: 1 }
}

const ibanAt: Reader = (row, from) => {
  const first = bare(row[from]?.text ?? "").replace(/^IBAN:?/u, "")
  const length = /^[A-Z]{2}\d{2}/u.test(first) ? ibanLength(first) : undefined
  if (length === undefined) return undefined
  let value = ""
  for (let to = from; to < row.length && value.length < length; to++) {
    value += to === from ? first : bare(row[to]?.text ?? "")
    if (value.length === length && isIban(value)) return { to, value, quality: 1 }
  }
  return undefined
}

const quality = { valid: 1, shaped: 0.88, none: 0 } as const

/** A VAT number may be set in groups: `FR 68 625 606 595`. */
const vatIdAt: Reader = (row, from) => {
  let text = ""
  let found: Taken | undefined
  for (let to = from; to < Math.min(row.length, from + 5); to++) {
    const part = withoutGaps(bare(row[to]?.text ?? ""))
    if (!/^[A-Z\d]+$/u.test(part)) break
    text += part
    const check = checkVatId(text)
    if (check === "valid") return { to, value: text, quality: 1 }
    if (check === "shaped" && (to === from || found !== undefined || /^\d/u.test(part)))
      found = { to, value: text, quality: quality[check] }
  }
  const alone = bare(row[from]?.text ?? "")
  if (found !== undefined || !isNationalVatId(alone)) return found
  return { to: from, value: withoutGaps(alone), quality: 0.8 }
}

const readers = { percent: percentAt, email: emailAt, iban: ibanAt, vatId: vatIdAt } as const

const candidate = (
  row: Row,
  page: number,
  index: number,
  from: number,
  taken: Taken
): Candidate<string | number> => {
  const tokens = row.slice(from, taken.to + 1)
  return {
    span: { page, row: index, from, to: taken.to },
    bbox: around(tokens),
    text: tokens.map(({ text }) => text).join(" "),
    value: taken.value,
    quality: taken.quality
  }
}

/** Every percentage, e-mail address, IBAN or VAT number of a document. Percentages are in percent: `19 %` is 19. */
export const typedValues = (
  reading: Reading,
  type: keyof typeof readers
): Array<Candidate<string | number>> =>
  reading.pages.flatMap(({ rows }, page) =>
    rows.flatMap((row, index) =>
      row.flatMap((_, from) => {
        const taken = readers[type](row, from)
        return taken === undefined ? [] : [candidate(row, page, index, from, taken)]
      })
    )
  )

const rowsBelow = 2

/** Bare figures right of a label of a field that says `%`, or below it: `VAT (%)  20`. */
export const percentsOf = (reading: Reading, field: string): Array<Candidate<string | number>> =>
  reading.labels
    .filter(({ label }) => label.names && label.field === field)
    .flatMap(({ span: { from, page, row, to } }) => {
      const rows = reading.pages[page]?.rows ?? []
      const labelled = rows[row]?.slice(from, to + 2) ?? []
      if (!labelled.some(({ text }) => /^\(?%\)?:?$|\(%\):?$|%:?$/u.test(text))) return []
      return rows.slice(row, row + 1 + rowsBelow).flatMap((tokens, below) =>
        tokens.flatMap(({ text }, at): Array<Candidate<string | number>> => {
          const value = /^\d.*\d$|^\d$/u.test(text) ? parsePercent(text) : undefined
          if ((below === 0 && at <= to) || value === undefined || value > 100) return []
          return [candidate(tokens, page, row + below, at, { to: at, value, quality: 0.9 })]
        })
      )
    })

const phoneShape = /[+(/]|^0|\d[ -]\d/u

/** The telephone numbers of a document, as E.164: those without a country are read as the document's. */
export const phonesOf = (reading: Reading): Array<Candidate<string>> => {
  const country = countryOf(reading)
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined
  return reading.pages.flatMap(({ rows }, page) =>
    rows.flatMap((row, index) => {
      const text = textOfWords(row)
      if (!/\d{2}/u.test(text)) return []
      return findPhoneNumbersInText(text, known).flatMap(
        ({ number, startsAt, endsAt }): Array<Candidate<string>> => {
          const printed = text.slice(startsAt, endsAt)
          if (!phoneShape.test(printed) || /^[\d.]+,\d\d$/u.test(printed)) return []
          const from = text.slice(0, startsAt).split(" ").length - 1
          const to = from + printed.split(" ").length - 1
          const bbox = around(row.slice(from, to + 1))
          return [
            {
              span: { page, row: index, from, to },
              bbox,
              text: printed,
              value: number.number,
              quality: number.isValid() ? 1 : 0.6
            }
          ]
        }
      )
    })
  )
}

/** The day (YYYY-MM-DD) that a string begins with, in the order and the languages of its document. */
export const dayIn = (reading: Reading, text: string): string | undefined => {
  const date = parseDate(text, reading.dateOrder, reading.lexicon)
  return date?.meanings === undefined ? date?.iso : inLanguages(date, pageLanguages(reading)).iso
}
