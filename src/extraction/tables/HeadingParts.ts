import { around, type PageModel, type Token } from "../layout/PageModel.ts"

type Row = ReadonlyArray<Token>

/** What names a column exactly, folded, and the columns that it names. */
export type ExactNames = ReadonlyMap<string, ReadonlySet<string>>

const foldedOf = (tokens: Row): string => tokens.map(({ folded }) => folded).join("")

/** A heading as labels are compared with it: its letters and digits; its sign where it has none, such as `$` or `*`. */
export const namingOf = (tokens: Row): string => foldedOf(tokens) || tokens.map(({ text }) => text).join("")

/** The most words of a column's name: `Denumirea produselor sau a serviciilor`. */
const mostWords = 6

/** Where the tokens from `from` on name a column exactly, how many of them; the longest name wins. */
const exactName = (tokens: Row, from: number, names: ExactNames): number => {
  let longest = 0
  let [folded, text] = ["", ""]
  const last = Math.min(mostWords, tokens.length - from)
  for (let count = 1; count <= last; count++) {
    const token = tokens[from + count - 1]
    folded += token?.folded ?? ""
    text += token?.text ?? ""
    const name = folded || text
    // A letter among other words is one of them: `produselor sau a serviciilor`.
    if (names.has(name) && (tokens.length === 1 || !/^\p{Script=Latin}$/u.test(name))) longest = count
  }
  return longest
}

/** Some words of a heading, and whether they are the name of a column. */
interface Part {
  readonly tokens: Row
  readonly isName: boolean
}

/** How many of the words of a name are one alone, above codes: `Artikel` of `Artikel Bezeichnung`; all where none are. */
const wordsOverCodes = (name: Row, names: ExactNames, below: ReadonlyArray<Row>): number =>
  behindCodes(name, names, below)[0]?.length ?? name.length

/** The words of a phrase, parted where the name of a column begins or ends; `lengths` are those of the names from each word on. */
const partsOf = (
  tokens: Row,
  lengths: ReadonlyArray<number>,
  names: ExactNames,
  below: ReadonlyArray<Row>
): Array<Part> => {
  const parts: Array<Part> = []
  let open: Array<Token> = []
  for (let i = 0; i < tokens.length;) {
    const longest = lengths[i] ?? 0
    const count = longest > 1 ? wordsOverCodes(tokens.slice(i, i + longest), names, below) : longest
    if (count > 0) {
      if (open.length > 0) parts.push({ tokens: open, isName: false })
      parts.push({ tokens: tokens.slice(i, i + count), isName: true })
      open = []
    } else open.push(...tokens.slice(i, i + 1))
    i += Math.max(1, count)
  }
  return open.length > 0 ? [...parts, { tokens: open, isName: false }] : parts
}

const rowsBelow = 8
const figure = /^[\p{Sc}\d][\d.,' ]*$/u

/** Two tokens that are one figure: the thousands of an amount and its next group. */
const isOneFigure = (left: Token, right: Token): boolean =>
  /\d$/u.test(left.text) && /^\d{3}/u.test(right.text) && right.x - (left.x + left.w) <= 0.75 * right.h

/** Whether a word or figure of a row lies across an x. */
const crosses = (row: Row, x: number): boolean =>
  row.some((token, i) => {
    const before = row[i - 1]
    const from = before !== undefined && isOneFigure(before, token) ? before.x : token.x
    return from < x - 0.5 && token.x + token.w > x + 0.5
  })

const isUnder = (heading: Row, row: Row): boolean => {
  const { w, x } = around(heading)
  return row.some((token) => token.x < x + w && token.x + token.w > x)
}

/** The word of a row right behind an x, if it goes on in the phrase of the word in front of it. */
const goingOn = (row: Row, x: number): Token | undefined => {
  const at = row.findIndex((token) => token.x + token.w / 2 > x)
  return row[at]?.phrase === row[at - 1]?.phrase ? row[at] : undefined
}

/** How many of some words begin at one x at most. */
const aligned = (words: Row): number =>
  Math.max(0, ...words.map(({ h, x }) => words.filter((other) => Math.abs(other.x - x) < 0.12 * h).length))

/**
 * Whether text runs on where two parts of a heading meet: in all rows with words under the second part they belong to the phrase in
 * front of it, and do not begin at one x, as those of a column do.
 */
const isRunOn = (right: Row, at: number, below: ReadonlyArray<Row>): boolean => {
  const rows = below.filter((row) => isUnder(right, row) && !crosses(row, at))
  const words = rows.flatMap((row) => goingOn(row, at) ?? [])
  return (
    below.length > 1 &&
    rows.length > 0 &&
    words.length === rows.length &&
    2 * aligned(words) <= Math.max(2, rows.length)
  )
}

/**
 * Whether the rows under a heading, those with figures, have words where two of its parts meet, or have nothing under one
 * of two parts with a plain space between them, or text that runs on.
 */
const isClosed = (left: Row, right: Row, below: ReadonlyArray<Row>): boolean => {
  const [last, first] = [left.at(-1), right[0]]
  if (last === undefined || first === undefined) return false
  const gap = first.x - (last.x + last.w)
  const at = last.x + last.w + gap / 2
  const across = below.filter((row) => crosses(row, at)).length
  if (3 * across > below.length) return true
  return (
    gap < 0.5 * first.h &&
    below.length > 1 &&
    (below.every((row) => crosses(row, at) || !isUnder(left, row) || !isUnder(right, row)) ||
      isRunOn(right, at, below))
  )
}

const mostlyAcross = 0.6

/** Whether the figures under two names lie across the x where they meet: `Bruttó ár` is one heading, though both are names. */
const isOneColumn = (left: Row, right: Row, below: ReadonlyArray<Row>): boolean => {
  const [last, first] = [left.at(-1), right[0]]
  if (last === undefined || first === undefined || first.x - (last.x + last.w) > 0.6 * first.h) return false
  const under = below.filter((row) => isUnder(left, row) || isUnder(right, row))
  const across = under.filter((row) => crosses(row, (last.x + last.w + first.x) / 2)).length
  return under.length > 1 && across >= mostlyAcross * under.length
}

const ofMoney: ReadonlySet<string> = new Set(["unitPrice", "amount", "usual unitPrice", "usual amount"])

/** Whether two names are those of amounts: a number of pieces and a price may be as close as the groups of one figure. */
const areOfMoney = (left: Part, right: Part, names: ExactNames): boolean =>
  [left, right].every(({ tokens }) =>
    [...(names.get(namingOf(tokens)) ?? [""])].every((column) => ofMoney.has(column))
  )

/** Two names of different columns in one, `Stk. Preis`, if all rows below have figures under both: parted where they meet. */
const parted = (part: Part, names: ExactNames, below: ReadonlyArray<Row>): ReadonlyArray<Part> => {
  for (let at = 1; at < part.tokens.length; at++) {
    const [left, right] = [part.tokens.slice(0, at), part.tokens.slice(at)]
    const [one, two] = [names.get(namingOf(left)), names.get(namingOf(right))]
    const [last, first] = [left.at(-1), right[0]]
    if (one === undefined || two === undefined || last === undefined || first === undefined) continue
    const x = (last.x + last.w + first.x) / 2
    const hasBoth = (row: Row) =>
      [left, right].every((heading) =>
        isUnder(
          heading,
          row.filter(({ text }) => figure.test(text))
        )
      )
    const isParted = below.filter(hasBoth).length > 1 && !below.some((row) => hasBoth(row) && crosses(row, x))
    if (isParted && [...one].every((column) => !two.has(column)))
      return [
        { tokens: left, isName: true },
        { tokens: right, isName: true }
      ]
  }
  return [part]
}

/** Whether all rows have a word where a heading begins, and one with a figure in front of it, under another heading: codes. */
const areBehindCodes = (left: Row, right: Row, below: ReadonlyArray<Row>): boolean => {
  const [first] = right
  if (first === undefined) return false
  const rows = below.filter((row) => isUnder(left, row) && isUnder(right, row))
  return (
    rows.length > 1 &&
    rows.every((row) => {
      const at = row.findIndex(({ h, x }) => Math.abs(x - first.x) < 0.15 * h)
      return at > 0 && /\d/u.test(row[at - 1]?.text ?? "")
    })
  )
}

/** Whether rows have a figure under each of two names, apart from each other: `Precio Importe` above `140,00   280,00`. */
const areApart = (left: Row, right: Row, below: ReadonlyArray<Row>): boolean => {
  const [last, first] = [left.at(-1), right[0]]
  if (last === undefined || first === undefined) return false
  const rows = below.map((row) => row.filter(({ text }) => figure.test(text)))
  const both = rows.filter((row) => isUnder(left, row) && isUnder(right, row))
  return both.length > 1 && both.every((row) => !crosses(row, (last.x + last.w + first.x) / 2))
}

/** `Description / Omschrijving`, `Qty الكمية`: the name of one column in two languages; not `Artikel Omschrijving` above codes and texts. */
const isSameColumn = (left: Part, right: Part, names: ExactNames, below: ReadonlyArray<Row>): boolean => {
  if (right.tokens[0]?.text === "/" || left.tokens.at(-1)?.text === "/") return true
  if (areBehindCodes(left.tokens, right.tokens, below) || areApart(left.tokens, right.tokens, below))
    return false
  const [one, two] = [names.get(namingOf(left.tokens)), names.get(namingOf(right.tokens))]
  return one !== undefined && two !== undefined && [...one].some((column) => two.has(column))
}

/** `Artikel Omschrijving` above codes and texts, although `Artikelomschrijving` is the name of one column. */
const behindCodes = (tokens: Row, names: ExactNames, below: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  for (let at = 1; at < tokens.length; at++) {
    const [left, right] = [tokens.slice(0, at), tokens.slice(at)]
    const areNames = names.has(namingOf(left)) && names.has(namingOf(right))
    if (areNames && areBehindCodes(left, right, below)) return [left, right]
  }
  return [tokens]
}

/** The rows below a row of headings that have figures. */
export const rowsUnder = ({ rows }: PageModel, lastRow: number): ReadonlyArray<Row> =>
  rows.slice(lastRow + 1, lastRow + 1 + rowsBelow).filter((row) => row.some(({ text }) => figure.test(text)))

/** How many words the longest name of a column has from each word of a phrase on; undefined where there is none at all. */
export const nameLengths = (tokens: Row, names: ExactNames): ReadonlyArray<number> | undefined => {
  const lengths = tokens.map((_, from) => exactName(tokens, from, names))
  return lengths.some((length) => length > 0) ? lengths : undefined
}

/**
 * Headings set so closely that they look like one (`Pos Beschreibung Menge`) are parted where a column's name is, of which
 * `lengths` tell; not where what is under them goes on: `Importo CHF` is one heading. `below`: the rows with figures.
 */
export const headingParts = (
  tokens: Row,
  lengths: ReadonlyArray<number>,
  names: ExactNames,
  below: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  if (lengths[0] === tokens.length) return behindCodes(tokens, names, below)
  const parts = partsOf(tokens, lengths, names, below).flatMap((part) =>
    part.isName ? parted(part, names, below) : [part]
  )
  if (parts.length < 2) return [tokens]
  const joined: Array<Part> = []
  for (const part of parts) {
    const before = joined.at(-1)
    const isOne =
      before !== undefined &&
      (before.isName && part.isName
        ? isSameColumn(before, part, names, below) ||
          (areOfMoney(before, part, names) && isOneColumn(before.tokens, part.tokens, below))
        : isClosed(before.tokens, part.tokens, below))
    if (isOne)
      joined[joined.length - 1] = {
        tokens: [...before.tokens, ...part.tokens],
        isName: before.isName || part.isName
      }
    else joined.push(part)
  }
  return joined.map((part) => part.tokens)
}
