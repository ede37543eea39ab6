import type { Column } from "../lexicon/Field.ts"
import type { TableHeader } from "./TableHeader.ts"
import { isConsistent } from "./TableRow.ts"
import type { TableItem } from "./TableItems.ts"

/** Assigns columns to other headings of a table, from left to right. */
export type Reassigned = (header: TableHeader) => TableHeader

/** The columns as the headings name them. */
export const asNamed: Reassigned = (header) => header

const giving =
  (column: Column, to: number): Reassigned =>
  (header) => ({
    ...header,
    headings: header.headings.map(({ bbox, column: own, quality }, i) =>
      i === to
        ? { bbox, column, quality: 0.7 }
        : own === column || own === undefined
          ? { bbox, quality: 0 }
          : { bbox, column: own, quality }
    )
  })

const codeLike = /^[\p{Lu}\d][\p{Lu}\d./_*-]*$/u

const nearlyAll = 0.85

/** Whether the descriptions are codes, such as `KF-TERM`; the heading of a group may be below some. */
const areCodes = (items: ReadonlyArray<TableItem>): boolean =>
  items.length > 0 &&
  items.filter(
    ({ values: { description } }) =>
      // A narrow cell breaks `2504-011` at its hyphen.
      typeof description === "string" && codeLike.test(description.replace(/(?<=[-/.])\s/gu, ""))
  ).length >=
    nearlyAll * items.length

/** Whether most descriptions are words: with a small letter, and more than one of them. */
const areWords = (items: ReadonlyArray<TableItem>): boolean =>
  2 *
    items.filter(
      ({ values: { description } }) =>
        typeof description === "string" && /\p{Ll}{2}/u.test(description) && description.includes(" ")
    ).length >
  items.length

/** How many rows prove themselves: quantity times price is the amount. */
export const provenRows = (items: ReadonlyArray<TableItem>): number =>
  items.filter((item) => isConsistent(item) === true).length

/** How many rows prove themselves without a discount. */
const plainRows = (items: ReadonlyArray<TableItem>): number =>
  items.filter(({ values }) => isConsistent({ values, others: [] }) === true).length

/**
 * The price after the discount, where a list price is in front of it: `Cena katal.`, `Rabat %`, `Cena netto po rabacie`. EN 16931
 * calls it the item net price (BT-146).
 */
const netPrices = (
  header: TableHeader,
  unitPrice: Column | undefined,
  amount: Column | undefined,
  items: ReadonlyArray<TableItem>
): ReadonlyArray<Reassigned> => {
  if (unitPrice === undefined || plainRows(items) === items.length) return []
  const [price, sum] = [unitPrice, amount].map((column) =>
    header.headings.findIndex((heading) => column !== undefined && heading.column === column)
  )
  if (price === undefined || sum === undefined || price < 0) return []
  return header.headings.flatMap((heading, i) =>
    i > price && i < sum && heading.column === undefined ? [giving(unitPrice, i)] : []
  )
}

/** The most headings of money or of nothing that is asked for of which two are tried as price and amount. */
const mostFree = 5

const to = (header: TableHeader, column: Column, free: (other: Column | undefined) => boolean) =>
  header.headings.flatMap((heading, i) => (free(heading.column) ? [giving(column, i)] : []))

/**
 * Other assignments of columns to the headings of a table whose rows do not add up, or whose descriptions are codes:
 * headings such as `Value` and `Gross value` name the same column, `Ord` and `Shp` both count, and only the figures tell
 * which of them is meant.
 */
export const otherColumns = (
  header: TableHeader,
  columns: ReadonlyArray<Column>,
  items: ReadonlyArray<TableItem>
): ReadonlyArray<Reassigned> => {
  const named = (name: string) =>
    columns.find(
      (column) => column.name === name && header.headings.some((heading) => heading.column === column)
    )
  const [description, quantity, unitPrice] = [named("description"), named("quantity"), named("unitPrice")]
  const amount = columns.find(({ name }) => name === "amount")
  const isMoney = (column: Column | undefined) => column === unitPrice || column === amount
  const adds = 2 * provenRows(items) > items.length
  const moved =
    adds || quantity === undefined || items.length === 0
      ? []
      : [amount, unitPrice ?? columns.find(({ name }) => name === "unitPrice")].flatMap((column) =>
          column === undefined
            ? []
            : to(header, column, (other) => other !== column && (other === undefined || isMoney(other)))
        )
  // `Netto` and `Gesamt €` behind a list price: what is named as the amount is the price, and the amounts follow it.
  const price = columns.find(({ name }) => name === "unitPrice")
  const at = header.headings.findIndex(({ column }) => column !== undefined && column === amount)
  const followed =
    adds || quantity === undefined || unitPrice !== undefined || amount === undefined || price === undefined
      ? []
      : header.headings.flatMap(({ column }, i): ReadonlyArray<Reassigned> =>
          at >= 0 && i > at && column === undefined
            ? [(own) => giving(price, at)(giving(amount, i)(own))]
            : []
        )
  // `J.cena`, `Cena` and `Kč Celkem`: neither is named as what it is, and only both in their places make rows add up.
  const free = header.headings.flatMap(({ column }, i) =>
    column === undefined || isMoney(column) ? [i] : []
  )
  const pairs =
    adds || quantity === undefined || amount === undefined || price === undefined || free.length > mostFree
      ? []
      : free.flatMap((first) =>
          free.flatMap((second): ReadonlyArray<Reassigned> =>
            second > first ? [(own) => giving(amount, second)(giving(price, first)(own))] : []
          )
        )
  const counted = columns.find(({ name }) => name === "quantity")
  // Of `Ord`, `Shp` and `B/O`, what was delivered is what is charged, though most rows have it ordered as well.
  const isCounted = quantity !== undefined && items.every((item) => isConsistent(item) === true)
  const counts =
    counted === undefined || isCounted || unitPrice === undefined || items.length === 0
      ? []
      : to(header, counted, (other) => other === undefined)
  const texts =
    description === undefined || !areCodes(items)
      ? []
      : to(header, description, (other) => other === undefined)
  return [
    ...moved,
    ...followed,
    ...pairs,
    ...counts,
    ...texts,
    ...netPrices(header, unitPrice, amount, items)
  ]
}

/**
 * Whether one reading of a table is better than another: more rows add up, or words instead of codes describe them. Fewer
 * items are better only if all of them add up: the others were none.
 */
export const isBetter = (items: ReadonlyArray<TableItem>, than: ReadonlyArray<TableItem>): boolean => {
  const [now, before] = [provenRows(items), provenRows(than)]
  if (items.length < than.length && now < items.length) return false
  const plain = plainRows(items)
  const isPlainer = now >= before && plain > plainRows(than) && 2 * plain > items.length
  return (
    (now > before && 2 * now > items.length) ||
    isPlainer ||
    (now >= before && areCodes(than) && areWords(items))
  )
}
