import { type Budget, spend, spendLooking } from "../types/Values.ts"

/** CEL counts code points; JavaScript counts units of UTF-16, of which a character beyond the basic plane has two. */
const pair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/

/** Whether a string has characters of two units; takes from the budget what finding that out and counting takes. */
const hasPairs = (text: string, budget: Budget): boolean =>
  spendLooking(budget, text.length) && pair.test(text) && spend(budget, text.length / 64)

/** The number of code points of a string. */
export const codePoints = (text: string, budget: Budget): number =>
  hasPairs(text, budget) ? countIn(text, text.length) : text.length

/** The position of a unit of UTF-16 in code points; that of -1 is -1. */
export const positionOf = (text: string, unit: number, budget: Budget): number =>
  unit > 0 && hasPairs(text, budget) ? countIn(text, unit) : unit

/** The part of a string between two positions in code points. */
export const slice = (text: string, start: number, end: number, budget: Budget): string => {
  if (!hasPairs(text, budget)) return text.slice(start, end)
  const first = unitAt(text, Math.trunc(start))
  return text.slice(first, first + unitAt(text.slice(first), Math.trunc(end) - Math.trunc(start)))
}

/** The code points of a string, each as a string. */
export const separate = (text: string): ReadonlyArray<string> => Array.from(text)

const isPair = (text: string, unit: number): boolean => (text.codePointAt(unit) ?? 0) > 0xff_ff

const countIn = (text: string, units: number): number => {
  let count = 0
  for (let unit = 0; unit < units; unit += isPair(text, unit) ? 2 : 1) count++
  return count
}

const unitAt = (text: string, position: number): number => {
  let unit = 0
  for (let passed = 0; passed < position && unit < text.length; passed++) unit += isPair(text, unit) ? 2 : 1
  return unit
}
