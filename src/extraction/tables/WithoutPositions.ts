import type { Token } from "../layout/PageModel.ts"
import { textOf } from "./TableRow.ts"
import type { TableItem } from "./TableItems.ts"

/** The number of a row in front of its description. */
interface Position {
  readonly token: Token
  /** Its value less the index of its row: the same for rows that are counted. */
  readonly offset: number
}

const fewestCounted = 3
const shareCounted = 0.8

const positionOf = ({ cells }: TableItem, at: number): Position | undefined => {
  const [token, ...rest] = cells.get("description") ?? []
  const figure = /^(\d{1,4})[.)]?$/u.exec(token?.text ?? "")?.[1]
  return token === undefined || figure === undefined || rest.length === 0
    ? undefined
    : { token, offset: Number(figure) - at }
}

const mostFrequent = (offsets: ReadonlyArray<number>): number =>
  [...Map.groupBy(offsets, (offset) => offset).values()].reduce(
    (most, { length }) => Math.max(most, length),
    0
  )

const without = (item: TableItem, position: Position | undefined): TableItem => {
  if (position === undefined) return item
  const rest = (item.cells.get("description") ?? []).slice(1)
  return {
    ...item,
    cells: new Map([...item.cells, ["description", rest] as const]),
    values: { ...item.values, description: textOf(rest) }
  }
}

const ofPage = (items: ReadonlyArray<TableItem>): ReadonlyArray<TableItem> => {
  const positions = items.map(positionOf)
  const offsets = positions.flatMap((position) => (position === undefined ? [] : [position.offset]))
  const counted = mostFrequent(offsets)
  const isCounted = counted >= fewestCounted && counted >= shareCounted * items.length
  return isCounted ? items.map((item, at) => without(item, positions[at])) : items
}

/**
 * Items whose descriptions begin with the number of their row, `1 Gasket`, `2 Bearing`, …, without it: the heading of these
 * numbers is missing, or recognition lost it. Where most rows of a page are counted, other numbers there are misread ones.
 */
export const withoutPositions = (items: ReadonlyArray<TableItem>): ReadonlyArray<TableItem> =>
  [...Map.groupBy(items, ({ page }) => page).values()].flatMap(ofPage)
