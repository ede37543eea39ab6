const digit = /\p{Nd}/gu
const foreign = /[^\p{ASCII}]/u
const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** The digits of a script are in order, and begin at a multiple of 16 or six behind one. */
const valueOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const block = code - (code % 16)
  return String(code - (isDigit(block) ? block : block + 6))
}

/** Signs of numbers that are written between or behind digits: Arabic ones, and full-width ones. */
const signs: Readonly<Record<string, string>> = { "٫": ".", "٬": ",", "،": ",", "٪": "%" }
const betweenDigits = /(?<=\d)[٫٬،](?=\d)|٪/gu
const fullWidth = /(?<=\d)[．，／－：](?=\d)|(?<=\d)％|￥(?=-?\d)/gu

/**
 * A string with the digits 0 to 9 in place of those of other scripts, such as `١٢٫٥٠`, `१२` and `１２`, and with the signs
 * that belong to their numbers.
 */
export const withPlainDigits = (text: string): string =>
  foreign.test(text)
    ? text
        .replace(digit, (character) =>
          (character.codePointAt(0) ?? 0) < 0x80 ? character : valueOf(character)
        )
        .replace(betweenDigits, (sign) => signs[sign] ?? sign)
        .replace(fullWidth, (sign) => sign.normalize("NFKC"))
    : text
