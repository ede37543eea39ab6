import { inCents } from "../../support/Cents.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { TableLine } from "./TableLines.ts"
import { textOf } from "./TableRow.ts"

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.006

const amountOf = (line: TableLine | undefined): number | undefined => {
  const amount = line?.values["amount"]
  return typeof amount === "number" ? amount : undefined
}

/** A text and an amount, and no other figure: `Land Registry fee     303.00`. */
const isTextWithAmount = (line: TableLine): boolean =>
  line.kind === "break" &&
  typeof line.values["description"] === "string" &&
  /\p{L}{3}/u.test(line.values["description"]) &&
  typeof amountOf(line) === "number" &&
  (line.values["quantity"] ?? null) === null &&
  (line.values["unitPrice"] ?? null) === null

const date = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/u

/** The words of a row in front of its amount, whatever columns they lie across, and without a day in front of them. */
const wordsOf = ({ pages }: Reading, line: TableLine): ReadonlyArray<Token> => {
  const [amount] = line.cells.get("amount") ?? []
  const tokens = pages[line.page]?.rows[line.row] ?? []
  const words = tokens.filter(
    ({ text, x }) => amount !== undefined && x < amount.x && !/^\p{Sc}$/u.test(text)
  )
  return date.test(words[0]?.text ?? "") ? words.slice(1) : words
}

/** Text across several columns with an amount behind it, and no other figure: `Recording fees, Multnomah County     402.00`. */
const isTextAcross = (reading: Reading, line: TableLine): boolean =>
  line.kind === "break" &&
  line.filled === 1 &&
  typeof amountOf(line) === "number" &&
  /\p{L}{3}/u.test(textOf(wordsOf(reading, line))) &&
  !/%|\d[.,]\d/u.test(textOf(wordsOf(reading, line)))

/** What lies across columns among whole rows may have a figure in its text: `Tax on electricity (5.11 %)`. */
const isRow = (reading: Reading, line: TableLine, isAmongRows: boolean): boolean =>
  (isTextWithAmount(line) && (isAmongRows || !line.across)) || (line.across && isTextAcross(reading, line))

/** The rows of a table down to one of its sums. */
interface Walk {
  /** The lines that are items although nothing but an amount is in them. */
  readonly alone: ReadonlySet<number>
  /** The line of the sum. */
  readonly end: number
}

/** The most lines of a group whose heading says how much it is: every heading is compared with all lines below it. */
const mostOfGroup = 200

/** Whether the amount of a line is what some lines below it add up to: the heading of a group may say how much it is. */
const isSumOfNext = (lines: ReadonlyArray<TableLine>, at: number): boolean => {
  const wanted = amountOf(lines[at]) ?? 0
  let [sum, count] = [0, 0]
  for (let next = at + 1; next < Math.min(lines.length, at + 1 + mostOfGroup); next++) {
    const amount = amountOf(lines[next])
    if (amount === undefined) continue
    sum += amount
    if (++count > 1 && isSame(sum, wanted)) return true
    if (sum > wanted) return false
  }
  return false
}

/**
 * The last printed sum of all rows above it, and the rows with nothing but an amount that it needs. Sums of groups do not count, above
 * or below their rows; a row below one belongs to a group of its own, with a heading or other rows. What has the label of a sum, such
 * as `Tax on electricity`, is a row only where whole rows follow, as is a discount.
 */
const lastSumOfAll = (
  reading: Reading,
  lines: ReadonlyArray<TableLine>,
  ends: ReadonlySet<number>
): Walk | undefined => {
  // Where amounts are the only figures, what is below the sums may look like an item.
  const lastItem = lines.findLastIndex(({ filled, kind }) => kind === "item" && filled > 1)
  const alone = new Set<number>()
  const groups = new Set<number>()
  let found: Walk | undefined
  let [whole, group] = [0, 0]
  let [isOpen, isAcross] = [true, false]
  for (const [i, line] of lines.entries()) {
    const amount = amountOf(line)
    // A heading left of the columns of the table is none of its lines.
    isOpen ||= line.row > (lines[i - 1]?.row ?? line.row) + 1
    if (line.kind === "item") {
      if (amount === undefined) return found
      ;[whole, group, isOpen] = [whole + amount, group + amount, true]
    } else if (amount === undefined) {
      // The sum itself may be under another column.
      if (i > lastItem && ends.has(i)) return alone.size === 0 ? found : { alone, end: i }
      isOpen ||= line.kind === "text"
    } else if (isSame(amount, whole) || isSame(amount, group)) {
      if (isSame(amount, whole) && alone.size > 0 && (!isAcross || ends.has(i)))
        found = { alone: new Set(alone), end: i }
      groups.add(inCents(group))
      ;[group, isOpen] = [0, false]
    } else if (isSumOfNext(lines, i)) {
      groups.add(inCents(amount))
      ;[group, isOpen] = [0, true]
    } else if (groups.has(inCents(amount))) isOpen = false
    else if (isRow(reading, line, i < lastItem) && (i < lastItem || (isOpen && !ends.has(i) && amount > 0))) {
      isAcross ||= line.across
      alone.add(i)
      ;[whole, group] = [whole + amount, group + amount]
    } else return found
  }
  return found
}

/** A line of a text and an amount as an item: its text is all of its words, where they lie across columns. */
const asItem = (reading: Reading, line: TableLine): TableLine => {
  if (!line.across) return { ...line, kind: "item" }
  const words = wordsOf(reading, line)
  return {
    ...line,
    kind: "item",
    cells: new Map([...line.cells, ["description", words] as const]),
    values: { ...line.values, description: textOf(words) }
  }
}

/**
 * The lines of a table down to the last sum that all of its rows add up to, if some of the rows have nothing but a text and an
 * amount: costs and fees below hours, a tax among what is used. Undefined where no such row makes a sum hold.
 */
export const withRowsThatAddUp = (
  reading: Reading,
  lines: ReadonlyArray<TableLine>,
  ends: ReadonlyArray<number>
): ReadonlyArray<TableLine> | undefined => {
  const sum = lastSumOfAll(reading, lines, new Set(ends))
  return sum === undefined
    ? undefined
    : lines.slice(0, sum.end).map((line, i) => (sum.alone.has(i) ? asItem(reading, line) : line))
}
