const invisible = /[\p{Cf}\u00AD™®©]/gu
const dashes = /[\p{Pd}\u2212\u2043\uFE63\uFF0D]/gu
const quotes = /[\u2018-\u201F\u2039\u203A\u00AB\u00BB\u2032\u2033\u0060\u00B4\u0022\u300C-\u300F]/gu
const decimalDigit = /\p{Nd}/gu
const zero = 0x30

/** Digits of every script are ten in a row, the zero first. */
const asciiDigit = (digit: string): string => {
  let code = digit.codePointAt(0) ?? zero
  if (code <= 0x39) return digit
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code--
    value++
  }
  return String(value)
}

const known = new Map<string, string>()
const mostKnown = 20_000

/** `normalise`, kept for words that come again and again. */
export const normal = (text: string): string => {
  const before = known.get(text)
  if (before !== undefined) return before
  const made = normalise(text)
  if (text.length <= 40) {
    if (known.size >= mostKnown) known.clear()
    known.set(text, made)
  }
  return made
}

/**
 * A string in the one form that values and documents are compared in: NFKC (ligatures, full-width letters), lower case,
 * ASCII digits, one kind of dash and of quotation mark, nothing invisible. Spaces stay.
 */
const normalise = (text: string): string =>
  text
    .replace(invisible, "")
    .normalize("NFKC")
    .replace(dashes, "-")
    .replace(quotes, "'")
    .replace(decimalDigit, asciiDigit)
    .replaceAll("٫", ".")
    .replaceAll("٬", ",")
    .toLowerCase()

/** Letters of scripts that put no spaces between words, or join particles to them: words may begin and end next to one. */
export const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

export const letterOrDigit = /[\p{L}\p{N}\p{M}]/u

export const isDigit = (character: string): boolean => character >= "0" && character <= "9"
