import { type Money, parseMoney } from "./Money.ts"
import type { Decimal } from "./Numbers.ts"

/** Digits as recognition sees letters and marks in them. */
const digits: Readonly<Record<string, string>> = {
  O: "0",
  o: "0",
  Q: "0",
  D: "0",
  I: "1",
  l: "1",
  i: "1",
  "|": "1",
  "]": "1",
  Z: "2",
  z: "2",
  S: "5",
  s: "5",
  "§": "5",
  B: "8"
}

/** What is around an amount: a currency, well or badly read, before it; specks behind it. */
const around = /^(?<mark>[-–=:~(]?\s?(?:\p{Sc}|\p{L}{2,3})?\s?)(?<core>.*?)(?<specks>[\s"“”„'‘’`~_.,|\\]*)$/u
const amount = /^([\d§OoQDIliZzSsB]{1,6})\s?([.,\s])\s?([\dOoQDIli|\]ZzSsB]{2})$/u

/** A currency sign that recognition took for another mark, as `₦` for `#`. */
const unknownSign = /^([-–]?)\s?[#&@?*¢«»<>]{1,2}\s?(?=\d)/u

const longest = 24

const asDigits = (text: string): string => text.replace(/\D/gu, (letter) => digits[letter] ?? letter)

/**
 * Reads an amount that recognition spoiled: `27. 00`, `12 .50`, `RM 64 13`, `5.00.`, `64.50"`, `§3.55`, `7,8O`. Two
 * digits must be behind the point, and at least as many of all must be digits as are not. Undefined where it is none.
 */
export const mendedMoney = (text: string, decimal: Decimal | undefined): Money | undefined => {
  if (text.length > longest) return undefined
  // Only cents tell an amount behind such a mark from a number of something.
  const unsigned = unknownSign.test(text) ? parseMoney(text.replace(unknownSign, "$1"), decimal) : undefined
  if (unsigned?.decimals === 2) return unsigned
  const { core = "", mark = "" } = around.exec(text)?.groups ?? {}
  const [, whole = "", point = "", cents = ""] = amount.exec(core) ?? []
  const letters = `${whole}${cents}`.replace(/\d/gu, "").length
  if (cents === "" || 2 * letters > whole.length + cents.length) return undefined
  const sign = point.trim() === "" ? (decimal ?? ".") : point
  const plain = `${asDigits(whole)}${sign}${asDigits(cents)}`
  return (
    parseMoney(`${mark.replace(/[=:~]/gu, "").trim()} ${plain}`.trim(), sign === "," ? "," : ".") ??
    parseMoney(plain)
  )
}
