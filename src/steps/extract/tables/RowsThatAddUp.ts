import type { TableLine } from "./TableLines.ts"

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.006

/** What a line adds to the sums: its amount, or its price where its columns of money have no other. */
const amountOf = ({ values }: TableLine): number | undefined =>
  typeof values["amount"] === "number" ? values["amount"] : undefined

/** A text and an amount, and no other figure: `Land Registry fee     303.00`. */
const isTextWithAmount = (line: TableLine): boolean =>
  line.kind === "break" &&
  typeof line.values["description"] === "string" &&
  /\p{L}{3}/u.test(line.values["description"]) &&
  typeof amountOf(line) === "number" &&
  (line.values["quantity"] ?? null) === null &&
  (line.values["unitPrice"] ?? null) === null

/** The rows of a table down to one of its sums. */
interface Walk {
  /** The lines that are items although nothing but an amount is in them. */
  readonly alone: ReadonlySet<number>
  /** The line of the sum. */
  readonly end: number
}

/**
 * The last printed sum of all rows above it, and the rows with nothing but an amount that it needs. Sums of groups do not count; a
 * row below one belongs to a group of its own, with a heading or other rows. What has the label of a sum, such as `Tax on electricity`,
 * is a row only where whole rows follow, as is a discount.
 */
const lastSumOfAll = (lines: ReadonlyArray<TableLine>, ends: ReadonlySet<number>): Walk | undefined => {
  const lastItem = lines.findLastIndex(({ kind }) => kind === "item")
  const alone = new Set<number>()
  let found: Walk | undefined
  let [whole, group] = [0, 0]
  let isOpen = true
  for (const [i, line] of lines.entries()) {
    const amount = amountOf(line)
    if (line.kind === "item") {
      if (amount === undefined) return found
      ;[whole, group, isOpen] = [whole + amount, group + amount, true]
    } else if (amount === undefined) isOpen ||= line.kind === "text"
    else if (isSame(amount, whole) || isSame(amount, group)) {
      if (isSame(amount, whole) && ends.has(i) && alone.size > 0) found = { alone: new Set(alone), end: i }
      ;[group, isOpen] = [0, false]
    } else if (isOpen && isTextWithAmount(line) && (i < lastItem || (!ends.has(i) && amount > 0))) {
      alone.add(i)
      ;[whole, group] = [whole + amount, group + amount]
    } else return found
  }
  return found
}

/**
 * The lines of a table down to the last sum that all of its rows add up to, if some of the rows have nothing but a text and an
 * amount: costs and fees below hours, a tax among what is used. Undefined where no such row makes a sum hold.
 */
export const withRowsThatAddUp = (
  lines: ReadonlyArray<TableLine>,
  ends: ReadonlyArray<number>
): ReadonlyArray<TableLine> | undefined => {
  const sum = lastSumOfAll(lines, new Set(ends))
  return sum === undefined
    ? undefined
    : lines
        .slice(0, sum.end)
        .map((line, i) => (sum.alone.has(i) ? Object.assign({}, line, { kind: "item" as const }) : line))
}
