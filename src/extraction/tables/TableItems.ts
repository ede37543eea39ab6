import { hundredths } from "../../support/Cents.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { rowKey } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import { around, type Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import {
  figuresIn,
  isConsistent,
  type Cells,
  type OtherFigure,
  type TableRow,
  textOf,
  timesOf
} from "./TableRow.ts"
import { attachLines } from "./AttachLines.ts"
import { withoutGroupHeadings } from "./GroupHeadings.ts"
import { type MendedFigure, withMendedFigure } from "./MisreadFigures.ts"
import { withRowsThatAddUp } from "./RowsThatAddUp.ts"
import { withPriceLines } from "./PriceLines.ts"
import type { ReadLines } from "./ReadLines.ts"
import type { TableLine } from "./TableLines.ts"
import { type ItemOfLine, withTextOfItems } from "./TextOfItems.ts"
import { withoutPositions } from "./WithoutPositions.ts"

/** An item of a table: its values, and where they are. */
export interface TableItem {
  readonly page: number
  readonly bbox: Box
  readonly values: TableRow
  readonly cells: Cells
  /** Figures under headings that were not requested. */
  readonly others: ReadonlyArray<OtherFigure>
  /** A word of it lies across two columns. */
  readonly across: boolean
  /** How many letters of it are under headings that were not requested. */
  readonly otherLetters: number
  /** Whether words are left of its description under a heading that was not requested. */
  readonly wordsBefore: boolean
  /** The figure that was not recognised, or wrong, and follows from the others. */
  readonly mended?: MendedFigure
}

/** The items of a table, as one way to read its lines has them. */
export interface TableItems {
  readonly items: ReadonlyArray<TableItem>
  /** Text that may belong to another item, or to none. */
  readonly guessed: boolean
  /** The sum of the amounts, and whether it is printed outside of the items. */
  readonly sum: number | undefined
  readonly printed: boolean
}

/** The quality up to which a heading was only guessed to be that of descriptions. */
const guessedHeading = 0.1

const sumOf = (items: ReadonlyArray<TableItem>): number | undefined => {
  const amounts = items.map(({ values }) => values["amount"] ?? values["unitPrice"])
  return amounts.every((amount) => typeof amount === "number")
    ? hundredths(amounts.reduce((sum, amount) => sum + amount, 0))
    : undefined
}

const isPrinted = (reading: Reading, sum: number, lines: ReadonlyArray<TableLine>): boolean => {
  const own = new Set(lines.filter(({ kind }) => kind === "item").map(({ page, row }) => rowKey(page, row)))
  return reading.money.some(
    ({ span, value }) =>
      Math.abs(Math.abs(value) - Math.abs(sum)) < 0.006 && !own.has(rowKey(span.page, span.row))
  )
}

const joined = (field: Field, lines: ReadonlyArray<TableLine>, item: TableLine): TableItem => {
  const cells = new Map<string, ReadonlyArray<Token>>(item.cells)
  const values: TableRow = { ...item.values }
  for (const { name, type } of field.columns) {
    if (type !== "string" && type !== "identifier") continue
    const tokens = lines.flatMap((line) => line.cells.get(name) ?? [])
    if (tokens.length === 0) continue
    cells.set(name, tokens)
    values[name] = textOf(tokens)
  }
  const here = lines.filter(({ page }) => page === item.page)
  const { across, others, page, wordsBefore } = item
  const otherLetters = lines.reduce((sum, line) => sum + line.otherLetters, 0)
  const bbox = around(here.map((line) => line.bbox))
  return { page, bbox, values, cells, others, across, otherLetters, wordsBefore }
}

const areRecognised = (cells: TableLine["cells"]): boolean =>
  [...cells.values()].flat().some(({ confidence }) => confidence !== undefined)

/** `** warranty 1 year **`, `- with screws`: what looks like a note below an item, and may describe it. */
const isNote = ({ values }: TableLine): boolean =>
  typeof values["description"] === "string" && /^[*•-]/u.test(values["description"])

/** Whether words between the items went nowhere, because some lie across two columns or they look like a note. */
const hasLost = (lines: ReadonlyArray<TableLine>, last: number): boolean => {
  const first = lines.findIndex(({ kind }) => kind === "item")
  return lines.some((line, i) => {
    const { across, kind, values } = line
    return (
      kind === "break" &&
      (across || isNote(line)) &&
      i > first &&
      i < last &&
      !Object.values(values).some((value) => typeof value === "number")
    )
  })
}

/** Whether a heading names the descriptions of a table, and there are some. */
const hasText = (columns: ReadLines["columns"], read: ReadonlyArray<ItemOfLine>): boolean =>
  columns.some(({ header }) =>
    header.headings.some(({ column, quality }) => column?.name === "description" && quality > guessedHeading)
  ) && read.some(({ item }) => item.values["description"] !== null)

const assemble = (
  reading: Reading,
  field: Field,
  all: ReadonlyArray<TableLine>,
  columns: ReadLines["columns"]
): TableItems => {
  const lines = withoutGroupHeadings(withPriceLines(all))
  const lineHeight = Math.max(
    1,
    ...lines.slice(0, 1).map(({ page }) => reading.pages[page]?.lineHeight ?? 10)
  )
  const isScan = lines.some(({ cells }) => areRecognised(cells))
  const { guessed, itemOf } = attachLines(lines, lineHeight, isScan ? "recognised" : "printed")
  const parts = new Map<number, Array<TableLine>>()
  for (const [i, line] of lines.entries()) {
    const item = line.kind === "item" ? i : itemOf.get(i)
    if (item !== undefined) parts.set(item, [...(parts.get(item) ?? []), line])
  }
  const read = [...parts]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([i, own]) => {
      const item = lines[i]
      return item === undefined ? [] : [{ at: i, item: joined(field, own, item) }]
    })
  const headings = new Map(columns.map(({ header, page }) => [page, header.lastRow]))
  const isDescribed = hasText(columns, read) || !field.columns.some(({ name }) => name === "description")
  const described = isDescribed ? read : withTextOfItems(reading, lines, read, headings)
  const whole = described.map(({ item }) => item)
  const items = isScan ? whole.map(withMendedFigure) : whole
  const last = lines.findLastIndex(({ kind }) => kind === "item")
  const sum = items.length === 0 ? undefined : sumOf(items)
  return {
    items,
    // Lines after the last item, at a distance, are below the table.
    guessed: [...guessed].some((i) => i < last || itemOf.has(i)) || hasLost(lines, last),
    sum,
    printed: sum !== undefined && sum !== 0 && isPrinted(reading, sum, lines)
  }
}

/** Lines with nothing but an amount next to their text are items too: discounts, freight. One of 0.00 adds nothing. */
const withAmountsAlone = (lines: ReadonlyArray<TableLine>): ReadonlyArray<TableLine> =>
  lines.map((line) =>
    line.kind === "break" &&
    line.filled === 1 &&
    typeof line.values["amount"] === "number" &&
    line.values["amount"] !== 0
      ? { ...line, kind: "item" }
      : line
  )

/**
 * A table with one column of money lists amounts, also where its heading reads `Price`: what one costs would be next to
 * how many there are.
 */
const withAmounts = (items: ReadonlyArray<TableItem>): ReadonlyArray<TableItem> => {
  const onlyPrices = items.every(
    ({ values: { amount, quantity, unitPrice } }) =>
      quantity === null && amount === null && typeof unitPrice === "number"
  )
  if (!onlyPrices) return items
  return items.map((item) => {
    const { unitPrice: tokens = [], ...cells } = Object.fromEntries(item.cells)
    const values = { ...item.values, unitPrice: null, amount: item.values["unitPrice"] ?? null }
    return { ...item, values, cells: new Map(Object.entries({ ...cells, amount: tokens })) }
  })
}

const isRecognised = ({ cells }: TableItem): boolean => areRecognised(cells)

/** `2,00     412,50` under the heading of the prices: the quantity was not lost, but its heading. */
const hasTwoPrices = ({ cells }: TableItem, reading: Reading): boolean =>
  figuresIn(cells.get("unitPrice") ?? [], reading).filter(({ isAmount }) => isAmount).length > 1

/** Recognition loses figures that are alone, such as a quantity of 1: where others of its column were read, it follows. */
const withQuantities = (
  items: ReadonlyArray<TableItem>,
  hasHeading: boolean,
  reading: Reading
): ReadonlyArray<TableItem> => {
  const isRead = items.some(({ values }) => typeof values["quantity"] === "number")
  const lost = (item: TableItem): number | undefined =>
    isRecognised(item) && !hasTwoPrices(item, reading) ? timesOf(item.values) : undefined
  // Where none of the column was read, prices and amounts of all rows must prove that there is one.
  if (!isRead && !(hasHeading && items.every((item) => lost(item) !== undefined))) return items
  return items.map((item) => {
    const quantity = item.values["quantity"] === null ? lost(item) : undefined
    if (quantity === undefined) return item
    return Object.assign({}, item, {
      values: { ...item.values, quantity },
      mended: { name: "quantity", value: quantity } as const
    })
  })
}

/** `12 x Flyer`, `8 h Photos`: the number at the beginning of a description. */
const counted = /^(\d{1,5}(?:[.,]\d{1,2})?)\s*[x×]?\s+(?=.*\p{L}{2})/iu

/**
 * Quantities in front of the descriptions, under no heading of their own: numbers that times the price are the amount, in
 * every row.
 */
const withCountedDescriptions = (items: ReadonlyArray<TableItem>): ReadonlyArray<TableItem> => {
  const counts = items.map(({ values }) => {
    const [printed = "", figure = ""] = counted.exec(String(values["description"] ?? "")) ?? []
    const quantity = Number(figure.replace(",", "."))
    return values["quantity"] === null && timesOf(values) === quantity ? { printed, quantity } : undefined
  })
  if (!counts.some((count) => count !== undefined && count.quantity !== 1)) return items
  if (counts.includes(undefined)) return items
  return items.map((item, at) => {
    const { printed = "", quantity = null } = counts[at] ?? {}
    const tokens = item.cells.get("description") ?? []
    const words = printed.trim().split(/\s+/u).length
    const cells = new Map([
      ...item.cells,
      ["quantity", tokens.slice(0, 1)] as const,
      ["description", tokens.slice(words)] as const
    ])
    const description = String(item.values["description"] ?? "").slice(printed.length)
    return { ...item, cells, values: { ...item.values, quantity, description } }
  })
}

/**
 * All items, where the table goes on below the first sum with rows that prove themselves: that sum was one of a group. A
 * discount below may be the reason that they add up to nothing printed.
 */
const goesOn = (
  plain: TableItems,
  most: TableItems | undefined,
  whole: TableItems | undefined
): TableItems | undefined => {
  if (whole === undefined || (most ?? plain) !== plain) return undefined
  const more = whole.items.slice(plain.items.length)
  return more.length > 0 && more.every((item) => isConsistent(item) === true) ? whole : undefined
}

/** What adds up to a printed sum with more items than the other has. */
const longer = (some: TableItems | undefined, other: TableItems): TableItems =>
  some?.printed === true && some.items.length > other.items.length ? some : other

/**
 * The items of a table. Where its end or what belongs to it is open (sums of groups, discounts, freight), the reading
 * counts whose amounts add up to something that is printed; of several the one with the most items.
 */
export const tableItems = (
  reading: Reading,
  field: Field,
  { columns, ends, lines }: ReadLines
): TableItems => {
  const upToSum = lines.slice(0, ends[0] ?? lines.length)
  const plain = assemble(reading, field, upToSum, columns)
  const whole = ends.length === 0 ? undefined : assemble(reading, field, lines, columns)
  const alone = [upToSum, ...(whole === undefined ? [] : [lines])].map(withAmountsAlone)
  const more = plain.printed ? [] : alone.map((some) => assemble(reading, field, some, columns))
  // What is below the sum and adds nothing, such as a rounding of 0.00, is no item.
  const adds = whole !== undefined && !(plain.printed && whole.sum === plain.sum)
  const [most] = [plain, ...more.slice(0, 1), ...(adds ? [whole] : []), ...more.slice(1)]
    .filter(({ printed }) => printed)
    .toSorted((a, b) => b.items.length - a.items.length)
  const adding = withRowsThatAddUp(reading, lines, ends)
  const all = adding === undefined ? undefined : assemble(reading, field, adding, columns)
  const chosen = longer(all, goesOn(plain, most, whole) ?? most ?? plain)
  const hasHeading = (columns[0]?.header.headings ?? []).some(({ column }) => column?.name === "quantity")
  const items = withoutPositions(withCountedDescriptions(withAmounts(chosen.items)))
  return { ...chosen, items: withQuantities(items, hasHeading, reading) }
}
