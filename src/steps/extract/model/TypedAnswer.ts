import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"
import { checkVatId, isIban, isNationalVatId } from "../../../extraction/candidates/CheckedNumbers.ts"
import { countryOf } from "../../../extraction/candidates/CountryEvidence.ts"
import { currencyOf } from "../../../extraction/lexicon/CurrencyMarks.ts"
import { dayIn } from "../../../extraction/candidates/DayIn.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { Scalar } from "../../../extraction/grounding/Places.ts"
import { parseMoney } from "../../../extraction/values/Money.ts"
import { scalar } from "../ExtractOutput.ts"
import type { Reading } from "../../../extraction/layout/Reading.ts"

const kinds: ReadonlySet<string> = new Set(["invoice", "credit-note"])

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? parseMoney(value.replace(/\s?%$/u, "").trim())?.value : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

const compact = (text: string): string => text.replace(/[\s.-]/gu, "").toUpperCase()

/** Numbers without a country are read as the document's. */
const phoneOf = (text: string, reading: Reading): string | undefined => {
  const country = countryOf(reading)
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined
  return parsePhoneNumberFromString(text, known)?.number
}

const textOf = (
  field: Pick<Field, "type" | "finder">,
  text: string,
  reading: Reading
): string | undefined => {
  switch (field.type) {
    case "date":
      return dayIn(reading, text)
    case "currency":
      return currencyOf(text)
    case "iban":
      return isIban(compact(text)) ? compact(text) : undefined
    case "vatId": {
      const isOne = checkVatId(compact(text)) !== "none" || isNationalVatId(text)
      return isOne ? compact(text) : undefined
    }
    case "email":
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(text) ? text : undefined
    case "phone":
      return phoneOf(text, reading)
    default:
      return field.finder === "kind" && !kinds.has(text) ? undefined : text
  }
}

/** Converts a model's answer to a field's type, with verified check digits; undefined if that fails. */
export const typedAnswer = (
  field: Pick<Field, "type" | "finder">,
  value: unknown,
  reading: Reading
): Scalar | undefined => {
  switch (scalar(field.type)["type"]) {
    case "number":
      return numberOf(value)
    case "integer": {
      const number = numberOf(value)
      return Number.isInteger(number) ? number : undefined
    }
    case "boolean":
      return typeof value === "boolean" ? value : undefined
  }
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : textOf(field, text, reading)
}
