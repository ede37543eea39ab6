import { takePrefix, takeSuffix } from "../lexicon/CurrencySigns.ts"
import { type Decimal, type Numeral, parseNumeral, withPlainDigits } from "./Numbers.ts"
import { defined } from "../../support/Defined.ts"

/** An amount as printed, with all that it can mean. */
export interface Money extends Numeral {
  /** ISO 4217, where it is written with the amount. */
  readonly currency?: string
}

interface Stripped {
  readonly core: string
  readonly negative: boolean
  readonly currency?: string
}

/** Takes what belongs to a sentence off an amount in it: `$48.15.`, `(of which VAT 7.30)`, `6 163,95 PLN,`. */
const withoutSentence = (text: string): string =>
  (text.includes("(") ? text : text.replace(/(?<=\d)\)[.,]?$/u, "")).replace(
    /(?<=\d[.,]\d\d(?:\s?[A-Z]{3})?)[.,]$/u,
    ""
  )

/** The dashes that are printed for a minus sign, and for no cents. */
const dashes = /[−–—‐‑﹣－]/gu

/** Most amounts of a page have nothing to take off. */
const bare = /^\d(?:[\d.,]*\d)?$/u

/** Takes signs, brackets, currencies and footnote marks off, in whatever order they come. */
const strip = (text: string): Stripped => {
  if (bare.test(text)) return { core: text, negative: false }
  let core = withoutSentence(
    text
      .replace(/[\u00a0\u2007\u2009\u202f]/gu, " ")
      .replace(dashes, "-")
      .replace(/^[*=≡](?=\d)|[*†‡:;]+$/gu, "")
      .replace(/^\(-\)(?=\D*\d)/u, "-")
      .trim()
  )
  let negative = false
  let currency: string | undefined
  for (let round = 0; round < 4; round++) {
    const before = core
    const bracket = /^\((.*)\)$/u.exec(core)
    if (bracket !== null) {
      core = bracket[1] ?? ""
      negative = true
    }
    // `6 - Total weight`: a sign behind a number touches it.
    const sign = /^-\s*(?=\D?.*\d)|(?<!\s)-$/u.exec(core)
    if (sign !== null && !/[,./]-{1,2}$/u.test(core)) {
      core = sign.index === 0 ? core.slice(sign[0].length) : core.slice(0, sign.index)
      negative = true
    }
    const found = takePrefix(core) ?? takeSuffix(core)
    if (found !== undefined) {
      core = found.rest.trim()
      currency = found.currency
    }
    if (core === before) break
  }
  // "12,-" and "1939/-" are round amounts.
  core = core.replace(/[,.]?\/?-{1,2}$/u, "").replace(/^\+\s*/u, "")
  return { core, negative, ...defined({ currency }) }
}

/**
 * Reads an amount in any of the usual notations: `$1,234.56`, `1.234,56 €`, `EUR 12`, `1 234,56`, `1'234.50`, `(12.00)`,
 * `(-)12.00`, `12,00-`, `₹1,00,000.00`. `decimal` decides what the notation itself leaves open. Undefined where it is none.
 */
export const parseMoney = (text: string, decimal?: Decimal): Money | undefined => {
  if (!/\d/u.test(text)) return undefined
  const { core, negative, currency } = strip(text)
  const numeral = parseNumeral(core, decimal)
  if (numeral === undefined) return undefined
  const { other, value } = numeral
  const signed = (figure: number): number => (negative && figure !== 0 ? -figure : figure)
  return {
    ...numeral,
    value: signed(value),
    ...(other === undefined ? {} : { other: signed(other) }),
    ...defined({ currency })
  }
}

/** Reads an amount or another number, which may be a percentage: of `19 %` the value is 19. */
export const parseFigure = (text: string, decimal?: Decimal): Money | undefined =>
  parseMoney(text.replace(/(?<=\d)\s?%$/u, ""), decimal)

const cents = /\d[.,]\d{2}(?!\d)/u

/** Whether an amount with cents is printed somewhere in a text. */
export const showsCents = (text: string): boolean => cents.test(text)

/** Figures with their separators; a space is one only before exactly three digits. */
const figures = /(?<![\p{L}\d])[.,]\d+|\d+(?:[.,']\d+| \d{3}(?!\d))*/gu

/** Half a unit, thousands and millions: the figures alone are another value. */
const scaled =
  /\d\s?[¼-¾⅐-⅞‰‱万億亿]|\d[kKM](?!\p{L})|\d\s?(?:[Mm]illi(?:on|ard)|[Mm]io|[Mm]rd|[Tt]sd|[Tt]housand|[Ll]akh|[Cc]rore)/u

const plain = (text: string): string =>
  withPlainDigits(text)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[’‘´`]/gu, "'")
    // A dash between spaces separates a label from its amount; a minus sign may be apart behind everything.
    .replace(/(?<=\S) [–—] /gu, " ")
    .replace(/(?<=\d\D*) [-−–]$/u, "-")

/** How many words of an amount may be on each side of its figures: `US $ 12.50`. */
const wordsAround = [2, 1, 0] as const

/**
 * Reads the only number of a string, whatever else is said in it: `12.50 EUR (net)`, `2,5 %`. Undefined if it has several, or a part
 * that changes the value of its figures, or is a code: `INV-15`.
 */
export const onlyAmount = (text: string, decimal?: Decimal): Money | undefined => {
  if (!/\p{Nd}/u.test(text)) return undefined
  const said = plain(text)
  const [found, another] = said.matchAll(figures)
  if (found === undefined || another !== undefined || scaled.test(said)) return undefined
  const [number] = found
  const [head, tail] = [said.slice(0, found.index), said.slice(found.index + number.length)]
  const [before, behind] = [head.split(" "), tail.split(" ")]
  const parts = wordsAround.flatMap((left) =>
    wordsAround.map((right) =>
      `${before.slice(-1 - left).join(" ")}${number}${behind.slice(0, right + 1).join(" ")}`.trim()
    )
  )
  // A dash that ties figures to a word makes a code of them.
  if (!/\p{L}[-‐‑]$/u.test(head) && !/^[-‐‑]\p{L}/u.test(tail)) parts.push(number)
  for (const part of new Set(parts)) {
    const amount = parseMoney(part, decimal)
    if (amount !== undefined) return Math.abs(amount.value) > Number.MAX_SAFE_INTEGER ? undefined : amount
  }
  return undefined
}
