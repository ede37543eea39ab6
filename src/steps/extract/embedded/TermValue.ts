import type { EmbeddedInvoice, InvoiceTerm } from "../../../domain/EmbeddedInvoice.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { FieldType } from "../../../extraction/fields/FieldDefinition.ts"
import { isoDay } from "../../../extraction/values/Dates.ts"
import { parseIdentifier } from "../../../extraction/values/CheckedNumbers.ts"

const matching = (pattern: RegExp, value: string): string | undefined =>
  pattern.test(value) ? value : undefined

/** Data has numbers as XML does, `1234.5600000`: no notation is open, and no printed number has as many decimals. */
const numberOf = (value: string): number | undefined => {
  const number = Number(value)
  return value !== "" && Number.isFinite(number) ? number : undefined
}

/**
 * A value of an electronic invoice in the form that a field's type has; undefined where it is none of that type. `country`
 * is the seller's, as ISO 3166 has it.
 */
const typedValue = (type: FieldType, value: string, country?: string): string | number | undefined => {
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
      return matching(isoDay, value)
    case "currency":
      return matching(/^[A-Z]{3}$/u, value)
    case "email":
    case "iban":
    case "phone":
    case "vatId":
      return parseIdentifier(type, value, country)?.value
    case "boolean":
    case "table":
      return undefined
    default:
      return value
  }
}

/** A value of an electronic invoice as a field's type wants it, and where it is. */
export interface TermValue {
  readonly value: string | number
  readonly path: string
  /** As the XML has it. */
  readonly text: string
}

/** Where a term may be missing, the next best one: the sum of the lines is the basis of the tax without allowances. */
const instead: Readonly<Record<string, string>> = { "BT-109": "BT-106", "BT-27": "BT-28", "BT-153": "BT-154" }

/** The values of a term that are of a type, or those of the term that may stand for it. */
export const termValues = (
  terms: ReadonlyArray<InvoiceTerm>,
  term: string,
  type: FieldType
): ReadonlyArray<TermValue> => {
  const country = terms.find((one) => one.term === "BT-40")?.value
  const found = terms
    .filter((one) => one.term === term)
    .flatMap(({ value: text, path }): Array<TermValue> => {
      const value = typedValue(type, text, country)
      return value === undefined ? [] : [{ value, path, text }]
    })
  const next = instead[term]
  return found.length > 0 || next === undefined ? found : termValues(terms, next, type)
}

/** What the document is, by the code of its type; an order is neither. */
const kindOf = ({ kind, terms }: EmbeddedInvoice): TermValue | undefined => {
  const code = terms.find(({ term }) => term === "BT-3")
  if (kind === "order") return undefined
  return { value: kind, path: code?.path ?? "/CreditNote", text: code?.value ?? kind }
}

/** What an electronic invoice says of a field that is no table. Of several dates to pay by the last has no discount. */
export const invoiceValue = (invoice: EmbeddedInvoice, field: Field): TermValue | undefined => {
  if (field.term === undefined || field.type === "table") return undefined
  if (field.finder === "kind") return kindOf(invoice)
  const values = termValues(invoice.terms, field.term, field.type)
  return field.term === "BT-9"
    ? values.toSorted((a, b) => String(b.value).localeCompare(String(a.value)))[0]
    : values[0]
}
