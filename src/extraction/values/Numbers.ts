const digit = /\p{Nd}/gu
const foreign = /[^\p{ASCII}]/u
/** The digits of a script are in order, and begin at a multiple of 16 or six behind one. */
const plainDigit = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const block = code - (code % 16)
  return String(code - (/\p{Nd}/u.test(String.fromCodePoint(block)) ? block : block + 6))
}

/** Signs of numbers that are written between or behind digits: Arabic ones, and full-width ones. */
const signs: Readonly<Record<string, string>> = { "٫": ".", "٬": ",", "،": ",", "٪": "%" }
const betweenDigits = /(?<=\d)[٫٬،](?=\d)|٪/gu
const fullWidth = /(?<=\d)[．，／－：](?=\d)|(?<=\d)％|￥(?=-?\d|$)/gu

/**
 * A string with the digits 0 to 9 in place of those of other scripts, such as `١٢٫٥٠`, `१२` and `１２`, and with the signs
 * that belong to their numbers.
 */
export const withPlainDigits = (text: string): string =>
  foreign.test(text)
    ? text
        .replace(digit, (character) =>
          (character.codePointAt(0) ?? 0) < 0x80 ? character : plainDigit(character)
        )
        .replace(betweenDigits, (sign) => signs[sign] ?? sign)
        .replace(fullWidth, (sign) => sign.normalize("NFKC"))
    : text

/** Which character comes before the decimals, as far as the document shows. */
export type Decimal = "." | ","

/** A number as it may be printed: groups of three (or, in India, two), decimals; no sign, no currency. */
const numeral =
  /^(?:\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,6})?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:[.,]\d{1,6})?|[.,]\d{1,4})$/u

/** Cents behind the sign that also sets thousands apart: `36.875.00`, as recognition reads `36,875.00`. */
const oneSign = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*\1\d{2}$/u

/** `11.370`, and `1,234`: thousands, or three decimals; `0.125` is no thousands. */
const openFigure = /^(?!0[.,])\d{1,3}([.,])\d{3}$/u

/** The decimal sign that a number proves by itself: `1.234,56` and `9,90` prove the comma, `1,234` nothing. */
export const provenDecimal = (text: string): Decimal | undefined => {
  if (oneSign.test(text)) return undefined
  const dot = text.lastIndexOf(".")
  const comma = text.lastIndexOf(",")
  if (dot >= 0 && comma >= 0) return dot > comma ? "." : ","
  const at = Math.max(dot, comma)
  if (at < 0) return undefined
  // A sign that is there twice sets thousands apart: the other one is left for decimals.
  if (text.indexOf(text.charAt(at)) !== at) return dot > comma ? "," : "."
  return openFigure.test(text) ? undefined : dot > comma ? "." : ","
}

/** A number as printed, with all that it can mean. */
export interface Numeral {
  readonly value: number
  /** Decimals as printed; -1 where there are none. */
  readonly decimals: number
  /** What it means otherwise: `1.234` is a thousand, or little more than one. */
  readonly other?: number
  /** Whether its signs contradict each other, as where recognition misread one. */
  readonly misread?: true
}

const valueOf = (text: string, sign: string | undefined): number => {
  const digits = text.replace(/['’ ]/gu, "")
  return Number(
    sign === undefined
      ? digits.replace(/[.,]/gu, "")
      : digits.replaceAll(sign === "." ? "," : ".", "").replace(sign, ".")
  )
}

/**
 * Reads a number; undefined where it is none. `decimal` decides what the number itself leaves open (`1.234`); without it three
 * digits after a single sign are taken for thousands.
 */
export const parseNumeral = (text: string, decimal?: Decimal): Numeral | undefined => {
  if (!numeral.test(text)) return undefined
  if (oneSign.test(text)) return { value: Number(text.replace(/\D/gu, "")) / 100, decimals: 2, misread: true }
  const [, open] = openFigure.exec(text) ?? []
  const sign = open !== undefined && open === decimal ? open : provenDecimal(text)
  const value = valueOf(text, sign)
  const decimals = sign === undefined || !text.includes(sign) ? -1 : text.length - text.lastIndexOf(sign) - 1
  return {
    value,
    decimals: decimals === 3 && Number.isInteger(value) ? -1 : decimals,
    ...(open === undefined ? {} : { other: valueOf(text, sign === undefined ? open : undefined) })
  }
}

const percent = /^([-+]?)(\d{1,3}(?:[.,]\d{1,4})?)\s?[%٪％]?$/u

/** Reads a percentage, with or without its sign: `19 %` is 19. Undefined where it is none. */
export const parsePercent = (text: string): number | undefined => {
  const [, sign = "", figures = ""] = percent.exec(text.trim()) ?? []
  const numeral = parseNumeral(figures)
  if (numeral === undefined) return undefined
  // Nobody has thousands of percent: `5.125 %` has decimals.
  const value = numeral.other ?? numeral.value
  return sign === "-" ? -value : value
}

const percents = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,3})?)\s?[%٪％]|[%٪％]\s?(\d{1,2}(?:[.,]\d{1,3})?)/gu

/** The percentages that are printed in a text, with their sign before or behind them. */
export const percentsIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(percents)].flatMap(([, one, two]) => parsePercent(one ?? two ?? "") ?? [])

const withCents = /[.,]\d{2}$/u

/** So many amounts that may be thousands are no decimals because of a number or two that are no amounts. */
const leastOpen = 3

/**
 * The decimal sign that most numbers of a document prove. `5.5` and the like prove none where more amounts have three figures
 * behind the same sign, and none has cents.
 */
export const decimalOf = (texts: Iterable<string>): Decimal | undefined => {
  const proofs = { ".": 0, ",": 0 }
  const cents = { ".": 0, ",": 0 }
  const open = { ".": 0, ",": 0 }
  for (const text of texts) {
    const core = text.replace(/^[^\d.,]+|[^\d]+$/gu, "")
    // A point that ends a word, as in `Res.99`, is not a decimal sign.
    if (!numeral.test(core) || /^[.,]/u.test(core)) continue
    const sign = provenDecimal(core)
    const [, between] = openFigure.exec(core) ?? []
    if (sign !== undefined) {
      proofs[sign]++
      if (withCents.test(core)) cents[sign]++
    } else if (between === "." || between === ",") open[between]++
  }
  if (proofs["."] === proofs[","]) return undefined
  const sign = proofs["."] > proofs[","] ? "." : ","
  return cents[sign] === 0 && open[sign] >= leastOpen && open[sign] > proofs[sign] ? undefined : sign
}
