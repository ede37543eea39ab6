import { currencyCodes } from "../lexicon/CurrencySigns.ts"
import type { Decimal } from "./Numbers.ts"

const threeDecimals = [...currencyCodes].filter(
  (currency) =>
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits === 3
)

/**
 * Their codes, what people in these countries write instead of them, and how they are abbreviated in Arabic: dinars and
 * rials are a thousand fils, millimes or baisas.
 */
const named = new RegExp(
  String.raw`\b(?:${threeDecimals.join("|")}|DT|KD|JD|BD|(?:millimes?|fils|baiza|baisas?)(?!\p{L}))\b|(?<!\p{L})(?:د\.(?:أ|ك|ب|ت)|ر\.ع)`,
  "u"
)

const inThousandths = /^\d{1,3}([.,])\d{3}$/u

/**
 * The decimal sign of a document whose amounts all have three figures behind one sign, and whose currency is counted in
 * thousandths: `750.000` of a Jordanian invoice are 750 dinars. Undefined for others, where these are thousands.
 */
export const decimalInThousandths = (figures: Iterable<string>, text: string): Decimal | undefined => {
  const signs = new Set<string>()
  for (const figure of figures) {
    const [, sign] = inThousandths.exec(figure.replace(/^[^\d]+|[^\d]+$/gu, "")) ?? []
    if (sign !== undefined) signs.add(sign)
  }
  if (signs.size !== 1 || !named.test(text)) return undefined
  return signs.has(".") ? "." : ","
}
