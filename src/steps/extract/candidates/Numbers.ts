/** Which character comes before the decimals, as far as the document shows. */
export type Decimal = "." | ","

/** A number as it may be printed: groups of three (or, in India, two), decimals; no sign, no currency. */
const numeral =
  /^(?:\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,6})?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:[.,]\d{1,6})?|[.,]\d{1,4})$/u

/** The end of a number in groups whose beginning was cut off: nobody prints `000,00` or `050,00` alone. */
const cutOff = /^0\d\d[.,]\d{1,2}$/u

/** Cents behind the sign that also sets thousands apart: `36.875.00`, as recognition reads `36,875.00`. */
const oneSign = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*\1\d{2}$/u

/** Whether the text is a number in some notation. */
export const isNumeral = (text: string): boolean => numeral.test(text) && !cutOff.test(text)

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
  const decimals = text.length - at - 1
  if (decimals === 3 && !/^0?[.,]/u.test(text)) return undefined
  return dot > comma ? "." : ","
}

/**
 * The value of a number, or undefined where it is none. `decimal` decides where the number itself leaves it open
 * (`1.234`); without it three digits after a single sign are taken for thousands.
 */
export const parseNumeral = (text: string, decimal?: Decimal): number | undefined => {
  if (!isNumeral(text)) return undefined
  if (oneSign.test(text)) return Number(text.replace(/\D/gu, "")) / 100
  const sign = provenDecimal(text) ?? (isOnce(text, decimal) ? decimal : undefined)
  const digits = text.replace(/['’ ]/gu, "")
  const normal =
    sign === undefined
      ? digits.replace(/[.,]/gu, "")
      : digits.replaceAll(sign === "." ? "," : ".", "").replace(sign, ".")
  const value = Number(normal)
  return Number.isFinite(value) ? value : undefined
}

const isOnce = (text: string, sign: string | undefined): boolean =>
  sign !== undefined && text.includes(sign) && text.indexOf(sign) === text.lastIndexOf(sign)

/** The decimal sign that most numbers of a document prove. */
export const decimalOf = (texts: Iterable<string>): Decimal | undefined => {
  let balance = 0
  for (const text of texts) {
    const core = text.replace(/^[^\d.,]+|[^\d]+$/gu, "")
    if (!isNumeral(core)) continue
    const sign = provenDecimal(core)
    if (sign !== undefined) balance += sign === "." ? 1 : -1
  }
  return balance === 0 ? undefined : balance > 0 ? "." : ","
}
