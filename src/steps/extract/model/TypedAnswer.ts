import { parseIdentifier } from "../../../extraction/values/CheckedNumbers.ts"
import { countryOf } from "../../../extraction/candidates/CountryEvidence.ts"
import { currencyOf } from "../../../extraction/lexicon/CurrencySigns.ts"
import { dayIn } from "../../../extraction/candidates/TypedValues.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { Scalar } from "../../../extraction/grounding/Places.ts"
import { onlyAmount } from "../../../extraction/values/Money.ts"
import { scalar } from "../FieldsConfig.ts"
import type { Reading } from "../../../extraction/layout/Reading.ts"

const kinds: ReadonlySet<string> = new Set(["invoice", "credit-note"])

const numberOf = (value: unknown, { decimal }: Reading): number | undefined => {
  const number = typeof value === "string" ? onlyAmount(value, decimal)?.value : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
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
    case "vatId": {
      const found = parseIdentifier(field.type, text)
      return found?.valid === true ? found.value : undefined
    }
    case "email":
    case "phone":
      return parseIdentifier(field.type, text, countryOf(reading))?.value
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
      return numberOf(value, reading)
    case "integer": {
      const number = numberOf(value, reading)
      return Number.isInteger(number) ? number : undefined
    }
    case "boolean":
      return typeof value === "boolean" ? value : undefined
  }
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : textOf(field, text, reading)
}
