import { Effect } from "effect"
import type { Box } from "../../domain/DocumentIR.ts"
import type { Column, Field } from "../lexicon/Field.ts"
import { around, type PageModel } from "../layout/PageModel.ts"
import type { TableRow } from "../tables/TableRow.ts"
import type { SearchableText } from "./SearchableText.ts"
import { boxOf, type Place } from "./Place.ts"
import { placesOf } from "./Places.ts"

/** A row that somebody says is in a table of the document. */
export interface RowClaim {
  readonly row: TableRow
  readonly page?: number
  /** The numbers of the pages that whoever says so has seen; all where they are left out. */
  readonly seen?: ReadonlySet<number>
  /** Its page was seen as a picture. */
  readonly pictured?: boolean
  /** From another pass over the same pages: it counts where no earlier pass read a row. */
  readonly again?: boolean
}

/** Where the rows of a table are. */
export interface GroundedRows {
  /** The index of the page of the first row that is anywhere, and the box around those on it. */
  readonly place?: Pick<Place, "page" | "lines">
  /** The cells that are not in their row, by the row's index and the column's name. */
  readonly absent: ReadonlyArray<{ readonly row: number; readonly column: string }>
  /** The indexes of the rows in their order, without those that say the same as an earlier one and are where it is. */
  readonly order: ReadonlyArray<number>
}

/** A column is looked for like a field of its type. */
const asField = (field: Field, column: Column): Field => ({
  ...field,
  name: `${field.name}.${column.name}`,
  type: column.type,
  finder: "label",
  columns: []
})

interface Cell {
  readonly column: string
  readonly places: ReadonlyArray<Place>
  /** The same by the index of their page. */
  readonly onPage: ReadonlyMap<number, ReadonlyArray<Place>>
}

/** The cells of a row that are near each other. */
interface Near {
  readonly page: number
  readonly cells: ReadonlyMap<string, Place>
  readonly box: Box
}

/** How far apart the cells of a row may be, in usual lines: text may run over several. */
const reach = 2.5
const mostAnchors = 60

const apart = (a: Box, b: Box): number => Math.max(0, Math.max(a.y, b.y) - Math.min(a.y + a.h, b.y + b.h))

const distance = (a: Place, b: Place): number => {
  let least = Infinity
  for (const line of a.lines) for (const other of b.lines) least = Math.min(least, apart(line, other))
  return least
}

/** The tokens with digits of a page that are in a line, and in a column. */
const hasFigure = (model: PageModel, line: Box, column: Box): boolean =>
  model.rows.some((row) =>
    row.some(({ h, text, w, x, y }) => {
      const middle = y + h / 2
      return (
        /\p{Nd}/u.test(text) &&
        middle > line.y &&
        middle < line.y + line.h &&
        Math.min(x + w, column.x + column.w) > Math.max(x, column.x)
      )
    })
  )

/** Whether two cells are of different rows: they are in different lines, and one's line has a figure of its own for the other. */
const areApart = (model: PageModel, a: Place, b: Place): boolean => {
  if (distance(a, b) === 0) return false
  const denies = (figure: Place, other: Place): boolean =>
    /\p{Nd}/u.test(figure.text) &&
    figure.lines.some((column) => other.lines.some((line) => hasFigure(model, line, column)))
  return denies(a, b) || denies(b, a)
}

/** The place that is closest to another one and no further from it than `most`; of equals the first. */
const closest = (places: ReadonlyArray<Place>, anchor: Place, most: number): Place | undefined => {
  let found: Place | undefined
  let least = most
  for (const place of places) {
    const away = distance(anchor, place)
    if (away > least || (found !== undefined && away === least)) continue
    found = place
    least = away
    if (away === 0) break
  }
  return found
}

const cellsNear = (searchable: SearchableText, cells: ReadonlyArray<Cell>, anchor: Place): Near => {
  const model = searchable.reading.pages[anchor.page]
  const lineHeight = model?.lineHeight ?? 10
  const near = new Map<string, Place>()
  for (const { column, onPage } of cells) {
    const place = closest(onPage.get(anchor.page) ?? [], anchor, reach * lineHeight)
    if (place === undefined || model === undefined || areApart(model, anchor, place)) continue
    near.set(column, place)
  }
  return { page: anchor.page, cells: near, box: around([...near.values()].map(boxOf)) }
}

const key = ({ page, box }: Near): string => `${page}:${Math.round(box.y)}`

const overlaps = (a: Near, b: Near): boolean =>
  a.page === b.page &&
  apart(a.box, b.box) === 0 &&
  Math.min(a.box.x + a.box.w, b.box.x + b.box.w) > Math.max(a.box.x, b.box.x)

/** Whether a row of another pass was overlooked before: all of it is where no row was read. */
const isOverlooked = (near: Near | undefined, cells: ReadonlyArray<Cell>, found: ReadonlyArray<Near>) =>
  near !== undefined &&
  cells.length > 1 &&
  near.cells.size === cells.length &&
  !found.some((other) => overlaps(near, other))

/** How far down a document something is. */
const down = ({ box, page }: Near): number => page * 1e6 + box.y

/** Rows follow each other down the pages, and no two are in one place. */
const worth = (near: Near, before: Near | undefined, taken: ReadonlySet<string>, page: number | undefined) =>
  near.cells.size +
  (near.page + 1 === page ? 0.3 : 0) -
  (taken.has(key(near)) ? 0.4 : 0) -
  (before !== undefined && down(near) < down(before) - 1 ? 0.2 : 0) -
  near.box.h / 10_000

const cellsOf = (searchable: SearchableText, field: Field, { row, seen }: RowClaim): ReadonlyArray<Cell> =>
  field.columns.flatMap((column) => {
    const value = row[column.name]
    if (value === null || value === undefined || value === "") return []
    const places = placesOf(searchable, asField(field, column), value).filter(
      ({ page }) => seen === undefined || seen.has(searchable.reading.pages[page]?.pageNumber ?? 0)
    )
    return [{ column: column.name, places, onPage: Map.groupBy(places, ({ page }) => page) }]
  })

/**
 * Finds the rows of a table: the cells of each must be near each other. A figure that is anywhere else in the
 * document is not the row's. Lets others run between rows.
 */
export const groundRows = Effect.fnUntraced(function* (
  searchable: SearchableText,
  field: Field,
  claims: ReadonlyArray<RowClaim>
): Effect.fn.Return<GroundedRows> {
  const absent: Array<{ row: number; column: string }> = []
  const found: Array<Near> = []
  const taken = new Set<string>()
  const sequence: Array<{ readonly index: number; readonly near: Near | undefined }> = []
  const said = new Set<string>()
  for (const [index, claim] of claims.entries()) {
    yield* Effect.yieldNow
    const { page } = claim
    const cells = cellsOf(searchable, field, claim)
    const anchors = cells.flatMap(({ places }) => places.slice(0, mostAnchors))
    let best: Near | undefined
    for (const near of anchors.map((anchor) => cellsNear(searchable, cells, anchor))) {
      const before = found.at(-1)
      if (best === undefined || worth(near, before, taken, page) > worth(best, before, taken, page))
        best = near
    }
    const same = `${best === undefined ? "" : key(best)} ${JSON.stringify(claim.row)}`
    // A page is shown once as a picture: rows that are alike there are two rows.
    if (said.has(same) && !(best === undefined && claim.pictured === true)) continue
    if (claim.again === true && !isOverlooked(best, cells, found)) continue
    said.add(same)
    const next =
      claim.again === true && best !== undefined
        ? sequence.findIndex(({ near }) => near !== undefined && down(near) > down(best))
        : -1
    sequence.splice(next === -1 ? sequence.length : next, 0, { index, near: best })
    absent.push(
      ...cells
        .filter(({ column }) => best?.cells.has(column) !== true)
        .map(({ column }) => ({ row: index, column }))
    )
    if (best === undefined) continue
    found.push(best)
    taken.add(key(best))
  }
  const order = sequence.map(({ index }) => index)
  const first = sequence.find(({ near }) => near !== undefined)?.near
  if (first === undefined) return { absent, order }
  const lines = found.filter(({ page }) => page === first.page).map(({ box }) => box)
  return { absent, order, place: { page: first.page, lines } }
})
