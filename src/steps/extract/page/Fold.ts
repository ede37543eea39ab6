/** Ways to write "number" in front of an identifier. */
const numberWords = new Set([
  "no",
  "n",
  "nr",
  "nro",
  "num",
  "nbr",
  "number",
  "nummer",
  "numero",
  "numer",
  "nummero",
  "nº"
])

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

/** Lower case, without accents and punctuation: `Fälligkeit:` becomes `falligkeit`. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßłøæœđðı]/gu, (letter) => whole[letter] ?? letter)
    .normalize("NFKD")
    .replace(marks, "")

const pieces = /[\p{L}\p{N}]+|[#№%]/gu

/**
 * A string in the form in which labels are compared: letters, digits and `%` only, and every way to write "number" the same,
 * so that `Invoice #`, `Invoice No.` and `INVOICE NUMBER` are one, as are `Rechnungs-Nr.` and `Rechnungsnummer`.
 */
export const fold = (text: string): string =>
  (plain(text.replace(/[°º]/gu, "")).match(pieces) ?? [])
    .map((piece) => {
      if (piece === "#" || piece === "№" || numberWords.has(piece)) return "no"
      return piece.length > 5 ? piece.replace(/(?:nummer|number|nr)$/u, "no") : piece
    })
    .join("")

const known = new Map<string, string>()
const mostKnown = 10_000

/** `fold` for labels: they are the same for every document, so their folded form is kept. */
export const foldLabel = (label: string): string => {
  const before = known.get(label)
  if (before !== undefined) return before
  const folded = fold(label)
  if (known.size < mostKnown) known.set(label, folded)
  return folded
}
