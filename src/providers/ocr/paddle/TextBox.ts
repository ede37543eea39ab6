/** A rectangle that may be rotated, in pixels: its centre, its sides, and the unit vector along the text. */
export interface TextBox {
  readonly cx: number
  readonly cy: number
  readonly w: number
  readonly h: number
  readonly ux: number
  readonly uy: number
}

type Point = readonly [x: number, y: number]

const turn = (o: Point, a: Point, b: Point): number =>
  (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

/** The convex hull, by Andrew's monotone chain. */
const hullOf = (points: ReadonlyArray<Point>): ReadonlyArray<Point> => {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const chain = (ordered: ReadonlyArray<Point>): Array<Point> => {
    const kept: Array<Point> = []
    for (const point of ordered) {
      for (;;) {
        const [before, last] = [kept.at(-2), kept.at(-1)]
        if (before === undefined || last === undefined || turn(before, last, point) > 0) break
        kept.pop()
      }
      kept.push(point)
    }
    kept.pop()
    return kept
  }
  return [...chain(sorted), ...chain(sorted.toReversed())]
}

/** The rectangle around the hull with one side parallel to the unit vector. */
const around = (hull: ReadonlyArray<Point>, ux: number, uy: number): TextBox => {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of hull) {
    const [along, across] = [x * ux + y * uy, y * ux - x * uy]
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, across)
    bottom = Math.max(bottom, across)
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2]
  return {
    cx: along * ux - across * uy,
    cy: along * uy + across * ux,
    w: right - left,
    h: bottom - top,
    ux,
    uy
  }
}

/** The same rectangle with its vector pointing right, and nearer to the x axis than to the y axis. */
const readable = ({ cx, cy, w, h, ux, uy }: TextBox): TextBox => {
  const steep = Math.abs(ux) < Math.abs(uy)
  const [x, y] = steep ? [-uy, ux] : [ux, uy]
  const sign = x < 0 ? -1 : 1
  const [width, height] = steep ? [h, w] : [w, h]
  return { cx, cy, w: width, h: height, ux: sign * x, uy: sign * y }
}

/** The smallest rectangle around the points: one of its sides is parallel to a side of their hull. */
export const smallestBox = (points: ReadonlyArray<Point>): TextBox | undefined => {
  const hull = hullOf(points)
  if (hull.length < 3) return undefined
  let best: TextBox | undefined
  for (const [i, [ax, ay]] of hull.entries()) {
    const [bx, by] = hull[(i + 1) % hull.length] ?? [ax, ay]
    const length = Math.hypot(bx - ax, by - ay)
    if (length === 0) continue
    const box = around(hull, (bx - ax) / length, (by - ay) / length)
    if (best === undefined || box.w * box.h < best.w * best.h - 1e-9) best = box
  }
  return best === undefined ? undefined : readable(best)
}

/** The smallest rectangle around the points with one side in a direction. */
export const boxAlong = (points: ReadonlyArray<Point>, ux: number, uy: number): TextBox =>
  around(hullOf(points), ux, uy)

/** The upright rectangle around a part of the box: from `from` to `to` along it (0–1), `share` of its height. */
export const uprightPart = (box: TextBox, from: number, to: number, share: number) => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const along of [(from - 0.5) * box.w, (to - 0.5) * box.w]) {
    for (const across of [(-box.h / 2) * share, (box.h / 2) * share]) {
      const x = box.cx + along * box.ux - across * box.uy
      const y = box.cy + along * box.uy + across * box.ux
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return { x: left, y: top, w: right - left, h: bottom - top }
}
