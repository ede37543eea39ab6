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

const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/** `#` or `%`. */
const isKeptSign = (code: number): boolean => code === 35 || code === 37

/** The pieces of a string in ASCII, as most words are; faster than the expression for all scripts. */
const piecesOfAscii = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  const found: Array<string> = []
  let from = 0
  for (let at = 0; at <= lower.length; at++) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0
    if (isLetterOrDigit(code)) continue
    if (at > from) found.push(lower.slice(from, at))
    if (isKeptSign(code)) found.push(lower.charAt(at))
    from = at + 1
  }
  return found
}

const piecesOf = (text: string): ReadonlyArray<string> =>
  beyondAscii.test(text) ? (plain(text.replace(/[°º]/gu, "")).match(pieces) ?? []) : piecesOfAscii(text)

/** The length from which a word can end in a word for "number", as `rechnungsnummer` does. */
const leastCompound = 6

/** Words that end longer ones: those that a longer one is as good as, and those that only end the same. */
export interface Compounds {
  /** `Rechnung`, which `Dachdeckerrechnung` is as well. */
  readonly titles: ReadonlyArray<string>
  /** `Abrechnung`, which is no `Rechnung`. */
  readonly others: ReadonlyArray<string>
  /** Words with a meaning of their own, such as `Stornorechnung`. */
  readonly known: ReadonlyArray<string>
}

/** The letters that a compound has at least before its last word. */
const leastBefore = 3

/** The letters by which endings are looked up: the shortest ending has as many. */
const keyLength = 4
const endOf = (word: string): string => word.slice(-keyLength)

/** Those of some words that are one piece, folded. */
const single = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map((word) => piecesOf(word)).flatMap((found) => (found.length === 1 ? found : []))

/** Makes the function that shortens a compound to the title it ends in. Of several possible endings, the longest counts. */
const makeLastWord = ({ known, others, titles }: Compounds): ((piece: string) => string) => {
  const ends = single(titles)
  const apart = new Set(single(others))
  const longer = single(known).filter((word) => ends.some((end) => word.endsWith(end)))
  const endings = [...new Set([...ends, ...apart, ...longer])].toSorted((a, b) => b.length - a.length)
  const byEnd = Map.groupBy(endings, endOf)
  return (piece) => {
    const end = byEnd.get(endOf(piece))?.find((ending) => piece.endsWith(ending))
    return end === undefined || apart.has(end) || piece.length < end.length + leastBefore ? piece : end
  }
}

/**
 * Makes the function that brings strings into the form in which labels are compared: letters, digits and `%` only, and every
 * word or sign for "number" the same, so that `Invoice #`, `Invoice No.` and `INVOICE NUMBER` are one, as are `Rechnungs-Nr.`
 * and `Rechnungsnummer`. `endings` are words for "number" that also end other words. A compound that ends in a title is that
 * title.
 */
export const makeFold = (
  numbers: ReadonlyArray<string>,
  endings: ReadonlyArray<string>,
  compounds: Compounds
): ((text: string) => string) => {
  const alone = new Set([...numbers, ...endings].map((word) => piecesOf(word).join("")))
  const ends = endings.map((word) => piecesOf(word).join(""))
  const ending = new RegExp(`(?:${ends.join("|") || "(?!)"})$`, "u")
  const lastLetters = new Set(ends.map((end) => end.at(-1)))
  const lastWord = makeLastWord(compounds)
  const foldPiece = (piece: string): string => {
    if (alone.has(piece)) return "no"
    return lastWord(
      piece.length >= leastCompound && lastLetters.has(piece.at(-1)) ? piece.replace(ending, "no") : piece
    )
  }
  return (text) => {
    const found = piecesOf(text)
    const [first = ""] = found
    return found.length > 1 ? found.map(foldPiece).join("") : foldPiece(first)
  }
}
