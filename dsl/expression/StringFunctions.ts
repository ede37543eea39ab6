import { define, type FunctionKind, given, number, scalar, text, texts } from "./FunctionKind.ts"
import { positionOf, separate, slice } from "./CodePoints.ts"
import * as Type from "../types/Type.ts"
import { type Budget, spend, spendLooking, toText } from "../types/Values.ts"

/** Returns a string about as long as the one it is made from. */
const written = (value: string, budget: Budget, write: (value: string) => string): string | null =>
  spend(budget, value.length / 64) ? write(value) : null

const occurrences = (value: string, part: string): number =>
  part === "" ? value.length + 1 : value.split(part).length - 1

const replaceAll = (value: string, part: string, by: string): string =>
  part === "" ? ["", ...separate(value), ""].join(by) : value.replaceAll(part, () => by)

const replace = (value: string, part: string, by: string, budget: Budget): string | null => {
  if (!spendLooking(budget, value.length)) return null
  const made = value.length + occurrences(value, part) * by.length
  return spend(budget, made / 16) ? replaceAll(value, part, by) : null
}

const join = (values: ReadonlyArray<string>, separator: string, budget: Budget): string | null => {
  const made = values.reduce((total, value) => total + value.length + separator.length, 0)
  return spend(budget, made / 16) ? values.join(separator) : null
}

const textIfScalar = ([type]: ReadonlyArray<Type.Type>): Type.Type =>
  given(type ?? Type.any).some((member) => member.kind === "any") ? Type.nullable(Type.string) : Type.string

const isTrue = Type.boolean

export const textFunctions: ReadonlyArray<FunctionKind> = [
  define("string(value)", [scalar], textIfScalar, "The value as a string.", ([value]) => toText(value)),
  define("lower(text)", [text], Type.string, "The text in lower case.", ([value], budget) =>
    written(value, budget, (text) => text.toLowerCase())
  ),
  define("upper(text)", [text], Type.string, "The text in upper case.", ([value], budget) =>
    written(value, budget, (text) => text.toUpperCase())
  ),
  define(
    "trim(text)",
    [text],
    Type.string,
    "The text without leading and trailing white space.",
    ([value], budget) => written(value, budget, (text) => text.trim())
  ),
  define(
    "contains(text, part)",
    [text, text],
    isTrue,
    "Whether the text contains the part.",
    ([value, part], budget) => (spendLooking(budget, value.length) ? value.includes(part) : null)
  ),
  define(
    "startsWith(text, part)",
    [text, text],
    isTrue,
    "Whether the text starts with the part.",
    ([value, part], budget) => (spendLooking(budget, part.length) ? value.startsWith(part) : null)
  ),
  define(
    "endsWith(text, part)",
    [text, text],
    isTrue,
    "Whether the text ends with the part.",
    ([value, part], budget) => (spendLooking(budget, part.length) ? value.endsWith(part) : null)
  ),
  define(
    "indexOf(text, part)",
    [text, text],
    Type.integer,
    "The position of the part, counted from 0; -1 if it is not there.",
    ([value, part], budget) =>
      spendLooking(budget, value.length) ? positionOf(value, value.indexOf(part), budget) : null
  ),
  define(
    "substring(text, start)",
    [text, number],
    Type.string,
    "The text from the character at start, counted from 0.",
    ([value, start], budget) => slice(value, Math.max(0, start), value.length, budget)
  ),
  define(
    "substring(text, start, end)",
    [text, number, number],
    Type.string,
    "The text from start up to, but not including, end.",
    ([value, start, end], budget) => slice(value, Math.max(0, start), Math.max(0, end), budget)
  ),
  define(
    "replace(text, part, by)",
    [text, text, text],
    Type.string,
    "The text with every occurrence of the part replaced.",
    ([value, part, by], budget) => replace(value, part, by, budget)
  ),
  define(
    "split(text, separator)",
    [text, text],
    Type.list(Type.string),
    "The parts between the separators.",
    ([value, separator], budget) =>
      spend(budget, value.length / 16) ? (separator === "" ? separate(value) : value.split(separator)) : null
  ),
  define("join(list)", [texts], Type.string, "The strings of an array, joined.", ([values], budget) =>
    join(values, "", budget)
  ),
  define(
    "join(list, separator)",
    [texts, text],
    Type.string,
    "The strings of an array, joined with a separator.",
    ([values, separator], budget) => join(values, separator, budget)
  )
]
