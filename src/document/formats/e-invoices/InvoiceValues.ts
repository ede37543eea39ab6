import type { ValueKind } from "./InvoiceSyntax.ts"
import type { XmlElement } from "../xml/XmlTree.ts"

const plain = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim()

/** A string with single spaces, without control characters and halves of characters, cut where it is longer. */
export const cleaned = (text: string, longest: number): string => plain(text).slice(0, longest).toWellFormed()

/** The text of an element, or of the one element that it wraps (`DateTimeString`, `Indicator`). */
const textIn = (element: XmlElement): string => {
  const own = plain(element.text)
  return own === "" ? plain(element.children[0]?.text ?? "") : own
}

/** YYYYMMDD (format 102 of UN/CEFACT, also followed by a time) and YYYY-MM-DD, if there is such a day. */
const dateOf = (text: string): string | undefined => {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?:\D|\d{4,6}$|$)/u.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const iso = `${year}-${month}-${day}`
  return date.toISOString().startsWith(iso) ? iso : undefined
}

/** A decimal number as XML Schema writes it. */
const numberOf = (text: string): string | undefined =>
  /^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/u.test(text) ? text.replace(/^\+/u, "") : undefined

/** The value of an element in the form that all syntaxes share; undefined if it is invalid. */
export const valueIn = (element: XmlElement, kind: ValueKind): string | undefined => {
  const text = textIn(element)
  switch (kind) {
    case "date":
      return dateOf(text)
    case "number":
      return numberOf(text)
    default:
      return text
  }
}
