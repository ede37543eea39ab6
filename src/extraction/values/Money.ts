import { takePrefix, takeSuffix } from "../lexicon/CurrencyMarks.ts"
import { type Decimal, isNumeral, parseNumeral } from "./Numbers.ts"
import { defined } from "../../support/Defined.ts"

/** An amount as printed. */
export interface Money {
  readonly value: number
  /** ISO 4217, where it is written with the amount. */
  readonly currency?: string
  /** Decimals as printed; -1 where there are none. */
  readonly decimals: number
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

/** Most amounts of a page have nothing to take off. */
const bare = /^\d(?:[\d.,]*\d)?$/u

/** Takes signs, brackets, currencies and footnote marks off, in whatever order they come. */
const strip = (text: string): Stripped => {
  if (bare.test(text)) return { core: text, negative: false }
  let core = withoutSentence(
    text
      .replace(/[\u00a0\u2007\u2009\u202f]/gu, " ")
      .replace(/^\*(?=\d)|[*†‡:;]+$/gu, "")
      .replace(/^\(([-−–])\)(?=\D*\d)/u, "$1")
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
    const sign = /^[-−–]\s*(?=\D?.*\d)|(?<!\s)[-−–]$/u.exec(core)
    if (sign !== null && !/[,./][-–]$/u.test(core)) {
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
  core = core.replace(/[,.]?\/?[-–]{1,2}$/u, "").replace(/^\+\s*/u, "")
  return { core, negative, ...defined({ currency }) }
}

/**
 * Reads an amount in any of the usual notations: `$1,234.56`, `1.234,56 €`, `EUR 12`, `1 234,56`, `1'234.50`, `(12.00)`,
 * `(-)12.00`, `12,00-`, `₹1,00,000.00`. `decimal` decides what the notation itself leaves open. Undefined where it is none.
 */
export const parseMoney = (text: string, decimal?: Decimal): Money | undefined => {
  if (!/\d/u.test(text)) return undefined
  const { core, negative, currency } = strip(text)
  if (!isNumeral(core)) return undefined
  const value = parseNumeral(core, decimal)
  if (value === undefined) return undefined
  const fraction = /[.,](\d+)$/u.exec(core)?.[1]
  const whole = fraction === undefined || (fraction.length === 3 && Number.isInteger(value))
  return {
    value: negative && value !== 0 ? -value : value,
    decimals: whole ? -1 : fraction.length,
    ...defined({ currency })
  }
}
