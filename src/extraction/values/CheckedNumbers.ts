import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"
import { createRequire } from "node:module"
import type * as Stdnum from "stdnum"
import { defined } from "../../support/Defined.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { lexiconInUse } from "../lexicon/ReadLexicon.ts"

const load: (name: string) => typeof Stdnum = createRequire(import.meta.url)
let checks: (typeof Stdnum)["stdnum"] | undefined

/** What `stdnum` calls the VAT numbers, by the letters that they begin with; `alone` are those that are usual without them. */
const vatIds = ofLexicon(({ countries }) => {
  const all = [...countries.values()].flatMap(({ code, vatId }) =>
    vatId === undefined ? [] : [{ ...vatId, code, prefix: vatId.prefix ?? code }]
  )
  return {
    byPrefix: new Map(all.map((one) => [one.prefix, one])),
    alone: all.flatMap(({ alone, prefix }) => (alone === true ? [prefix] : []))
  }
})

/** Numbers of firms and accounts without the spaces and signs between their groups. */
export const withoutGaps = (text: string): string => text.replace(/[\s./-]+/gu, "")

/** The same as they are stored. */
const compact = (text: string): string => withoutGaps(text.toUpperCase())

const vatShape = /^[A-Z]{2}[A-Z0-9]{8,14}$/u

/** How a string is as a VAT number: with right check digits, with wrong ones, or not at all. */
export type Check = "valid" | "shaped" | "none"

/** Looks at a string as a VAT number with its country: `DE136695976`, `CHE-123.456.789 MWST`. */
export const checkVatId = (text: string, lexicon: Lexicon = lexiconInUse()): Check => {
  const whole = compact(text)
  const { byPrefix } = vatIds(lexicon)
  const number = byPrefix.get(whole.slice(0, 3)) ?? byPrefix.get(whole.slice(0, 2))
  if (number === undefined || !vatShape.test(whole)) return "none"
  const rest = whole.slice(number.prefix.length)
  const digits = rest.replace(/\D/gu, "").length
  if (digits < 7 || rest.length < 8 || rest.length > 13) return "none"
  // stdnum has 300 files, which most commands never need.
  checks ??= load("stdnum").stdnum
  return checks[number.code]?.[number.check]?.validate(number.prefix.length > 2 ? whole : rest).isValid ===
    true
    ? "valid"
    : "shaped"
}

/** Whether a string is the VAT number of some country, which it does not name: the NIF, NIP or partita IVA. */
export const isNationalVatId = (text: string, lexicon: Lexicon = lexiconInUse()): boolean => {
  const number = compact(text)
  return (
    /^[A-Z]?\d{7,11}[A-Z]?(?:B\d\d)?$/u.test(number) &&
    vatIds(lexicon).alone.some((prefix) => checkVatId(prefix + number, lexicon) === "valid")
  )
}

/** The characters an IBAN has that begins so; undefined where no country's does. */
export const ibanLength = (text: string): number | undefined =>
  lexiconInUse().countries.get(text.slice(0, 2))?.iban

/** Whether a string without spaces is an IBAN with the right check digits (ISO 13616; modulo 97 of ISO 7064). */
export const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/u.test(text) || text.length !== ibanLength(text)) return false
  let rest = 0
  for (const letter of text.slice(4) + text.slice(0, 4)) {
    for (const digit of String(Number.parseInt(letter, 36))) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}

/** An identifier in the form in which it is stored, and whether it is one by its check digits or its form. */
export interface Identifier {
  readonly value: string
  readonly valid: boolean
  /** The country (ISO 3166) of a telephone number. */
  readonly country?: string
}

const email = /[^\s@,;:<>()[\]"]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/u

/** The first e-mail address in a text. */
export const emailIn = (text: string): string | undefined => email.exec(text)?.[0]

/** Reads a string as an identifier of a type; undefined where it has not even its form. Telephone numbers may be of `country`. */
export const parseIdentifier = (
  type: "email" | "iban" | "phone" | "vatId",
  text: string,
  country?: string
): Identifier | undefined => {
  switch (type) {
    case "email":
      return emailIn(text) === text ? { value: text, valid: true } : undefined
    case "phone": {
      const known = country !== undefined && isSupportedCountry(country) ? country : undefined
      const number = parsePhoneNumberFromString(text, known)
      return number === undefined
        ? undefined
        : { value: number.number, valid: number.isValid(), ...defined({ country: number.country }) }
    }
    case "iban": {
      const value = compact(text)
      return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u.test(value) ? { value, valid: isIban(value) } : undefined
    }
    case "vatId":
      return { value: compact(text), valid: checkVatId(text) !== "none" || isNationalVatId(text) }
  }
}
