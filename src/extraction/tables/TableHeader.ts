import { Effect } from "effect"
import { defined } from "../../support/Defined.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import type { Column } from "../lexicon/Field.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import { type ColumnNames, isNamedByFlow, type Naming, namings, namingsOfParts } from "./ColumnNames.ts"
import { type HeadingCell, type HeadingCells, headingCells } from "./HeadingCells.ts"

/** A heading of a table: the column it names, or none where the table has more columns than were asked for. */
export interface Heading {
  readonly column?: Column
  /** The column of the flow's own that it names as well, but that another heading has. */
  readonly rival?: Column
  readonly bbox: Box
  readonly quality: number
}

/** A table's headings, from left to right, and the rows they are in. */
export interface TableHeader {
  readonly firstRow: number
  readonly lastRow: number
  readonly headings: ReadonlyArray<Heading>
  /** How well the headings name the columns: about one for each. */
  readonly worth: number
  /** The row that the table ends before, where it is known. */
  readonly until?: number
  /** Where the same headings come again on the page, above another group of rows. */
  readonly repeats?: ReadonlyArray<RepeatedHeadings>
}

/** The rows of headings that come again, and the box of each. */
export interface RepeatedHeadings extends Pick<TableHeader, "firstRow" | "lastRow"> {
  readonly boxes: ReadonlyArray<Box>
}

/** It names a column, but says nothing for its row being the headings. */
const guessed = 0.01

/** What is sold is in the widest column of those in front of all figures, whatever its heading: `Stay`, `Course`, `Route`. */
const widestBefore = (
  cells: ReadonlyArray<HeadingCell>,
  named: ReadonlyMap<HeadingCell, unknown>
): HeadingCell | undefined => {
  const first = cells.findIndex((cell) => named.has(cell))
  const widthOf = (at: number): number => (cells[at + 1]?.bbox.x ?? 0) - (cells[at]?.bbox.x ?? 0)
  const [widest] = Array.from({ length: Math.max(0, named.size < 2 ? 0 : first) }, (_, at) => at).toSorted(
    (a, b) => widthOf(b) - widthOf(a)
  )
  return widest === undefined ? undefined : cells[widest]
}

type Named = Map<HeadingCell, Naming>

const namesOf = (named: Named): ReadonlySet<string> =>
  new Set([...named.values()].map(({ column }) => column.name))

/** `Price each` and `Price`: of two headings that mean a price, the second is the one of the amounts, if no other is. */
const nameSecondPrice = (named: Named, prices: ReadonlyArray<HeadingCell>, amount: Column): void => {
  const [first, second, ...more] = prices.toSorted((a, b) => a.bbox.x - b.bbox.x)
  const [price] = prices.flatMap((cell) => named.get(cell) ?? [])
  if (first === undefined || second === undefined || price === undefined || more.length > 0) return
  const isFree = prices.every((cell) => (named.get(cell)?.column ?? price.column) === price.column)
  if (!isFree) return
  named.set(first, price)
  named.set(second, { column: amount, quality: secondPrice })
}

const secondPrice = 0.6

const headingsOf = (cells: ReadonlyArray<HeadingCell>, names: ColumnNames): Array<Heading> => {
  const pairs = cells
    .flatMap((cell) =>
      [...namings(names, cell.folded), ...namingsOfParts(names, cell.parts)].map(({ column, quality }) => ({
        cell,
        column,
        quality
      }))
    )
    // Equal names (`Total` next to `Total`): amounts are on the right.
    .toSorted((a, b) => b.quality - a.quality || b.cell.bbox.x - a.cell.bbox.x)
  const named: Named = new Map()
  const used = new Set<Column>()
  for (const { cell, column, quality } of pairs) {
    if (named.has(cell) || used.has(column)) continue
    named.set(cell, { column, quality })
    used.add(column)
  }
  // A heading of unknown words that ends in a currency is the one of the amounts, where no other is.
  const amount = names.columns.find(({ name }) => name === "amount")
  const last = cells.findLast((cell) => cell.inCurrency && !named.has(cell))
  if (amount !== undefined && last !== undefined && !used.has(amount))
    named.set(last, { column: amount, quality: 0.6 })
  const prices = pairs.filter(({ column }) => column.name === "unitPrice").map(({ cell }) => cell)
  if (amount !== undefined && !namesOf(named).has("amount")) nameSecondPrice(named, prices, amount)
  const description = names.columns.find(({ name }) => name === "description")
  const widest = widestBefore(cells, named)
  if (description !== undefined && widest !== undefined && !used.has(description))
    named.set(widest, { column: description, quality: guessed })
  const rivalOf = (cell: HeadingCell): Column | undefined =>
    named.has(cell) ? undefined : namings(names, cell.folded).find(isNamedByFlow)?.column
  return cells.map((cell) => ({
    bbox: cell.bbox,
    quality: 0,
    ...defined({ rival: rivalOf(cell) }),
    ...named.get(cell)
  }))
}

const worth = (headings: ReadonlyArray<Heading>): number =>
  headings.reduce((sum, heading) => sum + heading.quality, 0)

/** Amounts are in the rows under headings. */
const hasAmount = (row: ReadonlyArray<Token> | undefined): boolean =>
  row?.some(({ text }) => /\d[.,]\d{2}$/u.test(text)) ?? false

/** Rows that are so close together that they can be one heading over several lines. */
const closeRows = (model: PageModel, first: number, last: number): boolean => {
  for (let i = first; i < last; i++) {
    const [upper, lower] = [around(model.rows[i] ?? []), around(model.rows[i + 1] ?? [])]
    if (lower.y - (upper.y + upper.h) > 0.7 * model.lineHeight) return false
  }
  return true
}

/** The rows around an anchor that may be one heading together, the anchor alone first. */
function* windows(model: PageModel, anchor: number): Generator<readonly [number, number]> {
  for (let above = 0; above <= 3 && anchor - above >= 0; above++) {
    if (hasAmount(model.rows[anchor - above])) return
    if (!closeRows(model, anchor - above, anchor)) return
    for (let below = 0; below <= 2 && anchor + below < model.rows.length; below++) {
      if (!closeRows(model, anchor, anchor + below) || hasAmount(model.rows[anchor + below])) break
      yield [anchor - above, anchor + below]
    }
  }
}

const namedIn = (headings: ReadonlyArray<Heading>): number =>
  headings.filter((heading) => heading.column !== undefined).length

/** `0 1 2 3 4 5(3x4) 6 (4 x 5)`: the numbers of the columns, which some print under their headings. */
const areNumbers = (row: ReadonlyArray<Token> = []): boolean => {
  const numbers = [...Map.groupBy(row, ({ phrase }) => phrase).values()].map((phrase) => {
    const text = phrase.map((token) => token.text).join("")
    return Number(/^\(?(\d{1,2})(?:\)|\(.*\))?$/u.exec(text)?.[1] ?? Number.NaN)
  })
  return numbers.length > 2 && numbers.every((number, at) => number === (numbers[0] ?? 0) + at)
}

/** The last row of headings whose names end in `row`: the numbers of the columns may follow, below what is wrapped. */
const lastOfHeadings = (model: PageModel, row: number): number => {
  for (let below = row + 1; below <= row + 3; below++) {
    if (areNumbers(model.rows[below])) return below
    if (hasAmount(model.rows[below])) return row
  }
  return row
}

const wordsOfProse = 14
const wordsOfSentence = 9

/** Whether a row is running text, whose words may name columns: `PRICE PER HUNDRED. CLAIMS FOR SHORTAGE …` */
const isProse = (row: ReadonlyArray<Token> = []): boolean =>
  [...Map.groupBy(row, ({ phrase }) => phrase).values()].some(
    (phrase) =>
      phrase.length >= wordsOfProse ||
      (phrase.length >= wordsOfSentence && phrase.some(({ text }) => /\p{L}{4}\.$/u.test(text)))
  )

const rowsAtOnce = 16

/**
 * The row that names the columns best, with the rows around it that belong to the same headings; undefined where fewer
 * than two columns are named. Yields between rows: a page of nothing but headings takes long.
 */
export const tableHeader = Effect.fnUntraced(function* (
  model: PageModel,
  names: ColumnNames
): Effect.fn.Return<TableHeader | undefined> {
  const cells = headingCells(model, names.exact)
  let found: TableHeader | undefined
  let most = 0
  for (const anchor of model.rows.keys()) {
    if (anchor % rowsAtOnce === rowsAtOnce - 1) yield* Effect.yieldNow
    // A row with amounts is in no window, and most rows have some.
    if (hasAmount(model.rows[anchor]) || isProse(model.rows[anchor])) continue
    if (namedIn(headingsOf(cells(anchor, anchor), names)) === 0) continue
    for (const [firstRow, lastRow] of windows(model, anchor)) {
      const headings = headingsOf(cells(firstRow, lastRow), names)
      // Prefer few rows: what is under the headings may look like one.
      const value = worth(headings) - 0.12 * (lastRow - firstRow)
      if (namedIn(headings) < 2 || value <= most) continue
      most = value
      found = { firstRow, lastRow, headings, worth: value }
    }
  }
  if (found === undefined) return undefined
  const repeats = repeatsOf(model, found, cells)
  const nameless = namelessDescription(model, found, names.columns)
  const whole = { ...found, lastRow: lastOfHeadings(model, found.lastRow), repeats }
  return nameless === undefined ? whole : withNameless(whole, nameless)
})

const rowsBelow = 12
/** How far from the left edge, as a share of the page's width, the first heading is if there is a column without one before it. */
const farFromEdge = 0.3

/** The column of descriptions under no heading at all, left of the ones of figures: where the text of most rows below begins. */
const namelessDescription = (
  model: PageModel,
  { headings, lastRow }: TableHeader,
  columns: ReadonlyArray<Column>
): Heading | undefined => {
  const column = columns.find(({ name }) => name === "description")
  const [first] = headings
  if (column === undefined || first?.column === undefined || first.bbox.x < farFromEdge * model.width)
    return undefined
  if (headings.some((heading) => heading.column === column)) return undefined
  const items = model.rows.slice(lastRow + 1, lastRow + 1 + rowsBelow).filter(hasAmount)
  const texts = items.flatMap((row) => {
    const word = row.find(({ text, w, x }) => x + w < first.bbox.x && /\p{L}{2}/u.test(text))
    return word === undefined ? [] : [word]
  })
  const [left] = texts.toSorted((a, b) => a.x - b.x)
  const aligned = texts.filter(({ h, x }) => left !== undefined && x - left.x < 0.5 * h)
  if (left === undefined || 2 * aligned.length <= items.length) return undefined
  const { h, y } = first.bbox
  return { column, bbox: { x: left.x, y, w: left.w, h }, quality: guessed }
}

/** Headings with one more in front of them, wherever they come again. */
const withNameless = (header: TableHeader, nameless: Heading): TableHeader => ({
  ...header,
  headings: [nameless, ...header.headings],
  repeats: (header.repeats ?? []).map(({ boxes, firstRow, lastRow }) => ({
    firstRow,
    lastRow,
    boxes: [nameless.bbox, ...boxes]
  }))
})

const mostRepeats = 20

/** Where the words of some headings come again further down the page: each group of rows may have its own. */
const repeatsOf = (
  model: PageModel,
  { firstRow, lastRow }: TableHeader,
  cells: HeadingCells
): ReadonlyArray<RepeatedHeadings> => {
  const wordsOf = (from: number): string =>
    model.rows
      .slice(from, from + lastRow - firstRow + 1)
      .map((row) => row.map(({ folded }) => folded).join(" "))
      .join(" ")
  const words = wordsOf(firstRow)
  const rows = [...model.rows.keys()].filter((row) => row > lastRow && wordsOf(row) === words)
  return rows.slice(0, mostRepeats).map((row) => {
    const last = row + lastRow - firstRow
    return { firstRow: row, lastRow: last, boxes: cells(row, last).map(({ bbox }) => bbox) }
  })
}
