import { boxAlong, smallestBox, type TextBox } from "./TextBox.ts"

/** What a line of text is made of: pixels, each with the weight that the network gives it. */
interface WeighedPixels {
  readonly x: ReadonlyArray<number>
  readonly y: ReadonlyArray<number>
  readonly weight: ReadonlyArray<number>
}

/** How much a line falls for each step to the right, and how long it is. */
interface Slope {
  readonly slope: number
  readonly length: number
}

/** A line must be this many times as long as high for its slope to be known. */
const leastLength = 12

const meanOf = (values: ReadonlyArray<number>, { weight }: WeighedPixels): number => {
  let [sum, all] = [0, 0]
  for (const [at, value] of values.entries()) {
    sum += value * (weight[at] ?? 0)
    all += weight[at] ?? 0
  }
  return sum / Math.max(1e-9, all)
}

/** The slope of a line through its pixels; undefined if it is too short. Its corners, which few pixels decide, say less. */
const slopeOf = (pixels: WeighedPixels): Slope | undefined => {
  const [meanX, meanY] = [meanOf(pixels.x, pixels), meanOf(pixels.y, pixels)]
  const squares = meanOf(
    pixels.x.map((x) => (x - meanX) ** 2),
    pixels
  )
  const products = meanOf(
    pixels.x.map((x, at) => (x - meanX) * ((pixels.y[at] ?? 0) - meanY)),
    pixels
  )
  if (squares === 0) return undefined
  const slope = products / squares
  const across = meanOf(
    pixels.y.map((y, at) => (y - meanY - slope * ((pixels.x[at] ?? 0) - meanX)) ** 2),
    pixels
  )
  // The deviation of evenly spread pixels is their extent by the root of twelve.
  const length = Math.sqrt(12 * squares)
  return length < leastLength * Math.sqrt(12 * across) ? undefined : { slope, length }
}

/** The slope of most of the text, by length; undefined if no line is long enough. */
const usualSlope = (slopes: ReadonlyArray<Slope>): number | undefined => {
  const sorted = slopes.toSorted((a, b) => a.slope - b.slope)
  let left = sorted.reduce((sum, { length }) => sum + length, 0) / 2
  return sorted.find(({ length }) => (left -= length) <= 0)?.slope
}

/** The probability that each pixel belongs to text, 0–1, row by row. */
export interface TextMap {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** The thresholds for a pixel of text and for a box of text, as in PaddleOCR. */
const textPixel = 0.3
const textBox = 0.6
/**
 * The mean of the pixels of a line from which it is text, whatever the mean of its box: a thin or leaning line leaves much of its
 * box empty.
 */
const textLine = 0.7
/** The network marks the core of a line; PaddleOCR expands it by this factor. */
const growth = 1.5
const smallestSide = 3
/** A thinner line must be this long. */
const thinLength = 6

/** The longest side of what the network marks of a single figure, and the probability from which it is sure. */
const largestCore = 4
const sure = 0.95

interface Component {
  /** The first and the last pixel of each row. */
  readonly first: Map<number, number>
  readonly last: Map<number, number>
  readonly pixels: WeighedPixels
}

/** Collects the pixels connected to `start`, diagonals included, and marks them as done. */
const componentAt = (open: Uint8Array, { width, height, values }: TextMap, start: number): Component => {
  const [xs, ys, weights]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
  const pixels = { x: xs, y: ys, weight: weights }
  const component: Component = { first: new Map(), last: new Map(), pixels }
  const stack = [start]
  open[start] = 0
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const x = at % width
    const y = (at - x) / width
    xs.push(x)
    ys.push(y)
    weights.push(values[at] ?? 0)
    component.first.set(y, Math.min(x, component.first.get(y) ?? x))
    component.last.set(y, Math.max(x, component.last.get(y) ?? x))
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
        const next = ny * width + nx
        if (open[next] !== 1) continue
        open[next] = 0
        stack.push(next)
      }
    }
  }
  return component
}

/** The mean of the map inside the box. */
const scoreOf = ({ values, width, height }: TextMap, box: TextBox): number => {
  const spanX = (Math.abs(box.w * box.ux) + Math.abs(box.h * box.uy)) / 2
  const spanY = (Math.abs(box.w * box.uy) + Math.abs(box.h * box.ux)) / 2
  const [fromX, toX] = [
    Math.max(0, Math.floor(box.cx - spanX)),
    Math.min(width - 1, Math.ceil(box.cx + spanX))
  ]
  const [fromY, toY] = [
    Math.max(0, Math.floor(box.cy - spanY)),
    Math.min(height - 1, Math.ceil(box.cy + spanY))
  ]
  let [sum, count] = [0, 0]
  for (let y = fromY; y <= toY; y++) {
    for (let x = fromX; x <= toX; x++) {
      const [dx, dy] = [x - box.cx, y - box.cy]
      if (Math.abs(dx * box.ux + dy * box.uy) > box.w / 2 + 0.5) continue
      if (Math.abs(dy * box.ux - dx * box.uy) > box.h / 2 + 0.5) continue
      sum += values[y * width + x] ?? 0
      count++
    }
  }
  return count === 0 ? 0 : sum / count
}

const peakOf = ({ values, width }: TextMap, { first, last }: Component): number => {
  let peak = 0
  for (const [y, from] of first)
    for (let x = from; x <= (last.get(y) ?? from); x++) peak = Math.max(peak, values[y * width + x] ?? 0)
  return peak
}

/** Whether the network takes it for text: the whole box, or surely the pixels themselves. */
const isText = (map: TextMap, component: Component, box: TextBox): boolean => {
  if (scoreOf(map, box) >= textBox) return true
  const { weight } = component.pixels
  const mean = weight.reduce((sum, value) => sum + value, 0) / weight.length
  return mean >= textLine && peakOf(map, component) >= sure
}

const grown = (box: TextBox): TextBox => {
  const by = (box.w * box.h * growth) / (box.w + box.h)
  return { ...box, w: box.w + by, h: box.h + by }
}

const holds = (box: TextBox, { cx, cy }: TextBox): boolean => {
  const [dx, dy] = [cx - box.cx, cy - box.cy]
  return Math.abs(dx * box.ux + dy * box.uy) <= box.w / 2 && Math.abs(dy * box.ux - dx * box.uy) <= box.h / 2
}

/**
 * The boxes of single figures, such as a quantity of 1: the network is sure of them, but marks so few pixels that their size says
 * nothing. They are as high as lines are on average.
 */
const singleFigures = (
  cores: ReadonlyArray<TextBox>,
  lines: ReadonlyArray<TextBox>
): ReadonlyArray<TextBox> => {
  const heights = lines.map(({ h }) => h).toSorted((a, b) => a - b)
  const height = heights[Math.floor(heights.length / 2)]
  if (height === undefined) return []
  return cores
    .filter((core) => !lines.some((line) => holds(line, core)))
    .map(({ cx, cy, w }) => ({ cx, cy, w: Math.max(w, height), h: height, ux: 1, uy: 0 }))
}

type Found = Component & { readonly box: TextBox }

const cornersOf = ({ first, last }: Component) => [...first, ...last].map(([y, x]) => [x, y] as const)

/** A box that is this much taller than wide contains text that runs upwards, unless it is as small as a figure. */
const tall = 1.5
const figure = 12

/**
 * The box in the direction of its line or, if that is too short to have one, of most lines: the smallest rectangle around the
 * few pixels of a figure may stand on its corner.
 */
const inDirection = (found: Found, usual: number | undefined): TextBox => {
  const { box, pixels } = found
  if (usual === undefined || box.h > Math.max(figure, tall * box.w)) return box
  const slope = slopeOf(pixels)?.slope ?? usual
  const length = Math.hypot(1, slope)
  const along = boxAlong(cornersOf(found), 1 / length, slope / length)
  return { ...along, h: Math.max(smallestSide, along.h) }
}

/**
 * Finds lines of text in a map of the detection network, as in PaddleOCR's DBPostProcess: connected pixels above a
 * threshold, in a rectangle around them, expanded to the height of the letters. In pixels of the map.
 */
export const findLines = (map: TextMap): Array<TextBox> => {
  const open = new Uint8Array(map.values.length)
  for (let i = 0; i < open.length; i++) open[i] = (map.values[i] ?? 0) > textPixel ? 1 : 0
  const lines: Array<Found> = []
  const cores: Array<TextBox> = []
  for (let start = 0; start < open.length; start++) {
    if (open[start] !== 1) continue
    const component = componentAt(open, map, start)
    const box = smallestBox(cornersOf(component))
    if (box === undefined || !isText(map, component, box)) continue
    if (Math.min(box.w, box.h) >= smallestSide || box.w >= thinLength) lines.push({ ...component, box })
    else if (Math.max(box.w, box.h) <= largestCore && peakOf(map, component) >= sure) cores.push(box)
  }
  const usual = usualSlope(lines.flatMap(({ pixels }) => slopeOf(pixels) ?? []))
  const boxes = lines.map((line) => grown(inDirection(line, usual)))
  return [...boxes, ...singleFigures(cores, boxes)]
}
