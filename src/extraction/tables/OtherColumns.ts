import type { Column } from "../lexicon/Field.ts"
import type { TableHeader } from "./TableHeader.ts"
import { isConsistent } from "./TableRow.ts"
import type { TableItem } from "./TableItems.ts"

/** Assigns columns to other headings of a table, from left to right. */
export type Reassigned = (header: TableHeader) => TableHeader

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

const to = (header: TableHeader, column: Column) =>
  header.headings.flatMap((heading, i) => (heading.column === undefined ? [giving(column, i)] : []))

/**
 * Other assignments of columns to the headings of a table whose rows do not add up, or whose descriptions are codes:
 * `Ord` and `Shp` both count, and only the figures tell which of them is meant.
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
  const adds = 2 * provenRows(items) > items.length
  const moved =
    adds || quantity === undefined || items.length === 0
      ? []
      : [amount, unitPrice ?? columns.find(({ name }) => name === "unitPrice")].flatMap((column) =>
          column === undefined ? [] : to(header, column)
        )
  const counted = columns.find(({ name }) => name === "quantity")
  // Of `Ord`, `Shp` and `B/O`, what was delivered is what is charged, though most rows have it ordered as well.
  const counts =
    counted === undefined ||
    unitPrice === undefined ||
    items.length === 0 ||
    (quantity !== undefined && provenRows(items) === items.length)
      ? []
      : to(header, counted)
  const texts = description === undefined || !areCodes(items) ? [] : to(header, description)
  return [...moved, ...counts, ...texts]
}

/**
 * Whether one reading of a table is better than another: more rows add up, or words instead of codes describe them. Fewer
 * items are better only if all of them add up: the others were none.
 */
export const isBetter = (items: ReadonlyArray<TableItem>, than: ReadonlyArray<TableItem>): boolean => {
  const [now, before] = [provenRows(items), provenRows(than)]
  if (items.length < than.length && now < items.length) return false
  return (now > before && 2 * now > items.length) || (now >= before && areCodes(than) && areWords(items))
}
