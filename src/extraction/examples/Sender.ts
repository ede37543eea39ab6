import type { Page } from "../../domain/DocumentIR.ts"
import type { LayoutWord } from "../../domain/LearnedExample.ts"
import { parseDate } from "../values/Dates.ts"
import { pageWords } from "./PageWords.ts"

/** Shorter numbers, such as postcodes, are printed on documents of many senders. */
const fewestDigits = 8

const isNumber = (text: string): boolean =>
  /^[\p{L}\d/+()-]+$/u.test(text) &&
  text.replace(/\D/gu, "").length >= fewestDigits &&
  parseDate(text)?.length !== text.length

const address = /^[^@\s]+@[^@\s]+$|^(?:https?:\/\/|www\.)\S{4,}$/iu

/** Whether a word is of the kind by which a sender is recognized: a tax number, a telephone number, a domain. */
export const isMark = (text: string): boolean => isNumber(text) || address.test(text)

/** The number of marks that two pages have in common; each counts once. */
export const commonMarks = (known: ReadonlyArray<LayoutWord>, page: ReadonlyArray<LayoutWord>): number => {
  const printed = new Set(page.map(({ text }) => text))
  return new Set(known.map(({ text }) => text).filter((text) => isMark(text) && printed.has(text))).size
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, "")

/** Whether all words of a name are printed on a page, in any order and any lines. */
export const hasWordsOf = (name: string, page: Page): boolean => {
  const wanted = name
    .split(/\s+/u)
    .map(lettersOf)
    .filter((word) => word !== "")
  const printed = new Set(pageWords(page).map(({ text }) => lettersOf(text)))
  return wanted.length > 0 && wanted.every((word) => printed.has(word))
}
