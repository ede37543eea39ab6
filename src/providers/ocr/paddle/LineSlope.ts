/** What a line of text is made of: pixels, each with the weight that the network gives it. */
export interface WeighedPixels {
  readonly x: ReadonlyArray<number>
  readonly y: ReadonlyArray<number>
  readonly weight: ReadonlyArray<number>
}

/** How much a line falls for each step to the right, and how long it is. */
export interface Slope {
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
export const slopeOf = (pixels: WeighedPixels): Slope | undefined => {
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
export const usualSlope = (slopes: ReadonlyArray<Slope>): number | undefined => {
  const sorted = slopes.toSorted((a, b) => a.slope - b.slope)
  let left = sorted.reduce((sum, { length }) => sum + length, 0) / 2
  return sorted.find(({ length }) => (left -= length) <= 0)?.slope
}
