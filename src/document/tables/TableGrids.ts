import type { Ruling } from "../formats/FormatReader.ts"

/** How far lines that belong together may miss each other. */
const reach = 3
/** Drawings with more lines than this are no tables. */
const mostRulings = 1500
const mostCells = 20_000

/** Lines that touch each other, and the places at which they are. */
export interface Grid {
  readonly xs: ReadonlyArray<number>
  readonly ys: ReadonlyArray<number>
  /** Whether a line is at `xs[column]` along the band between `ys[row]` and `ys[row + 1]`. */
  readonly wallAt: (column: number, row: number) => boolean
  /** Whether a line runs at `ys[row]` along the stretch between `xs[column]` and `xs[column + 1]`. */
  readonly floorAt: (row: number, column: number) => boolean
}

/** Joins lines that overlap, and pieces of one line. */
export const joinRulings = (rulings: ReadonlyArray<Ruling>): Array<Ruling> => {
  const joined: Array<Ruling> = []
  const sorted = rulings.toSorted((a, b) => a.at - b.at || a.from - b.from)
  let group: Array<Ruling> = []
  const flush = () => {
    const first = group[0]
    if (first === undefined) return
    const at = group.reduce((sum, ruling) => sum + ruling.at, 0) / group.length
    let open: { from: number; to: number } | undefined
    for (const { from, to } of group.toSorted((a, b) => a.from - b.from)) {
      if (open !== undefined && from <= open.to + reach) open.to = Math.max(open.to, to)
      else {
        if (open !== undefined) joined.push({ axis: first.axis, at, ...open })
        open = { from, to }
      }
    }
    if (open !== undefined) joined.push({ axis: first.axis, at, ...open })
  }
  for (const ruling of sorted) {
    const last = group.at(-1)
    if (last !== undefined && ruling.at - last.at > 1.5) {
      flush()
      group = []
    }
    group.push(ruling)
  }
  flush()
  return joined.filter(({ from, to }) => to - from >= 6)
}

const crosses = (h: Ruling, v: Ruling): boolean =>
  v.at >= h.from - reach && v.at <= h.to + reach && h.at >= v.from - reach && h.at <= v.to + reach

/** Lines at nearly the same position: double lines, and adjacent sides of boxes. */
interface Place {
  readonly from: number
  readonly to: number
}

/** The minimum width of a column and height of a row. */
const narrowest = { column: 7, row: 4 }

const placesOf = (values: ReadonlyArray<number>, narrow: number): Array<Place> => {
  const found: Array<{ from: number; to: number }> = []
  for (const value of values.toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last === undefined || value - last.from > narrow) found.push({ from: value, to: value })
    else last.to = value
  }
  return found
}

const middleOf = ({ from, to }: Place): number => (from + to) / 2

const covers = (lines: ReadonlyArray<Ruling>, place: Place | undefined, along: Place): boolean => {
  if (place === undefined) return false
  let covered = 0
  for (const line of lines) {
    if (line.at < place.from - 0.1 || line.at > place.to + 0.1) continue
    covered += Math.max(0, Math.min(line.to, along.to) - Math.max(line.from, along.from))
  }
  return covered >= 0.6 * (along.to - along.from)
}

const band = (values: ReadonlyArray<number>, i: number): Place => ({
  from: values[i] ?? 0,
  to: values[i + 1] ?? 0
})

const gridOf = (hs: ReadonlyArray<Ruling>, vs: ReadonlyArray<Ruling>): Grid => {
  const across = placesOf(
    vs.map(({ at }) => at),
    narrowest.column
  )
  const down = placesOf(
    hs.map(({ at }) => at),
    narrowest.row
  )
  const [xs, ys] = [across.map(middleOf), down.map(middleOf)]
  return {
    xs,
    ys,
    wallAt: (column, row) => covers(vs, across[column], band(ys, row)),
    floorAt: (row, column) => covers(hs, down[row], band(xs, column))
  }
}

/** The grids of a page: groups of lines that touch, with at least two of each direction. */
export const gridsOf = (rulings: ReadonlyArray<Ruling>): Array<Grid> => {
  const hs = joinRulings(rulings.filter(({ axis }) => axis === "horizontal"))
  const vs = joinRulings(rulings.filter(({ axis }) => axis === "vertical"))
  if (hs.length > mostRulings || vs.length > mostRulings) return []
  const group = hs.map((_, i) => i)
  const rootOf = (i: number): number => {
    let root = i
    while (group[root] !== root) root = group[root] ?? root
    group[i] = root
    return root
  }
  const touching = vs.map((v) => {
    let first: number | undefined
    for (const [i, h] of hs.entries()) {
      if (!crosses(h, v)) continue
      if (first === undefined) first = i
      else group[rootOf(i)] = rootOf(first)
    }
    return first
  })
  const grids: Array<Grid> = []
  for (const root of new Set(hs.map((_, i) => rootOf(i)))) {
    const horizontal = hs.filter((_, i) => rootOf(i) === root)
    const vertical = vs.filter((_, i) => {
      const first = touching[i]
      return first !== undefined && rootOf(first) === root
    })
    const grid = gridOf(horizontal, vertical)
    const [across, down] = [grid.xs.length, grid.ys.length]
    if (across >= 2 && down >= 2 && across + down >= 5 && across * down <= mostCells) grids.push(grid)
  }
  return grids
}
