import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"
import type { FieldType } from "../FieldDefinition.ts"

const matching = (pattern: RegExp, value: string): string | undefined =>
  pattern.test(value) ? value : undefined

/** Numbers without a country are read as the seller's. */
const phoneOf = (value: string, country: string | undefined): string | undefined => {
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined
  return parsePhoneNumberFromString(value, known)?.number
}

const numberOf = (value: string): number | undefined => {
  const number = Number(value)
  return value !== "" && Number.isFinite(number) ? number : undefined
}

/**
 * A value of an electronic invoice in the form that a field's type has; undefined where it is none of that type. `country`
 * is the seller's, as ISO 3166 has it.
 */
export const typedValue = (type: FieldType, value: string, country?: string): string | number | undefined => {
  switch (type) {
    case "number":
    case "money":
    case "percent":
      return numberOf(value)
    case "integer": {
      const number = numberOf(value)
      return Number.isInteger(number) ? number : undefined
    }
    case "date":
      return matching(/^\d{4}-\d{2}-\d{2}$/u, value)
    case "currency":
      return matching(/^[A-Z]{3}$/u, value)
    case "iban":
      return matching(/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u, value.replace(/\s/gu, "").toUpperCase())
    case "vatId":
      return value.replace(/[\s.-]/gu, "").toUpperCase()
    case "email":
      return matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/u, value)
    case "phone":
      return phoneOf(value, country)
    case "boolean":
    case "table":
      return undefined
    default:
      return value
  }
}
