const marks = /\p{M}/gu

/** Letters that Unicode does not take apart. */
const whole: Readonly<Record<string, string>> = {
  ß: "ss",
  ł: "l",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  ı: "i"
}

const beyondAscii = /[^\p{ASCII}]/u

/** Lower case, without accents: `Fälligkeit:` becomes `falligkeit:`. */
export const plain = (text: string): string => {
  const lower = text.toLowerCase()
  if (!beyondAscii.test(lower)) return lower
  return lower
    .replace(/[ßłøæœđðı]/gu, (letter) => whole[letter] ?? letter)
    .normalize("NFKD")
    .replace(marks, "")
}

const pieces = /[\p{L}\p{N}]+|[#№%]/gu

const piecesOf = (text: string): ReadonlyArray<string> =>
  plain(text.replace(/[°º]/gu, "")).match(pieces) ?? []

/** The length from which a word can end in a word for "number", as `rechnungsnummer` does. */
const leastCompound = 6

/**
 * Makes the function that brings strings into the form in which labels are compared: letters, digits and `%` only, and every
 * word or sign for "number" the same, so that `Invoice #`, `Invoice No.` and `INVOICE NUMBER` are one, as are `Rechnungs-Nr.`
 * and `Rechnungsnummer`. `endings` are words for "number" that also end other words.
 */
export const makeFold = (
  numbers: ReadonlyArray<string>,
  endings: ReadonlyArray<string>
): ((text: string) => string) => {
  const alone = new Set([...numbers, ...endings].map((word) => piecesOf(word).join("")))
  const ending = new RegExp(`(?:${endings.map((word) => piecesOf(word).join("")).join("|") || "(?!)"})$`, "u")
  return (text) =>
    piecesOf(text)
      .map((piece) => {
        if (alone.has(piece)) return "no"
        return piece.length < leastCompound ? piece : piece.replace(ending, "no")
      })
      .join("")
}
