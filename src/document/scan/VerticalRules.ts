import type { PageImage } from "../formats/FormatReader.ts"

/** How much darker a rule is than the paper at both its sides. */
const contrast = 22
/** Half the width of the thickest rule, and a pixel more. */
const reach = 4
/** Noise interrupts a rule for so many pixels. */
const longestGap = 3
/** A rule leans by at most one pixel in so many. */
const steepness = 40

/** Shorter strokes, in pixels, are noise or curves. */
const shortestStroke = 8
const shortestRule = 60
/** A stroke of this length may be a rule that letters touch further down. */
const longStroke = 24
/** A rule is so many times as tall as letters. */
const letters = 3

/** A vertical rule: the x of its middle at each y from `top` on. */
export interface VerticalRule {
  readonly top: number
  readonly middles: ReadonlyArray<number>
}

/** The pixels that are darker than the paper to their left and to their right. */
const strokesOf = ({ height, pixels, width }: PageImage): Uint8Array => {
  const strokes = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = reach; x < width - reach; x++) {
      const at = row + x
      const dark = (pixels[at] ?? 0) + contrast
      if ((pixels[at - reach] ?? 0) >= dark && (pixels[at + reach] ?? 0) >= dark) strokes[at] = 1
    }
  }
  return strokes
}

interface Trace {
  readonly top: number
  readonly middles: Array<number>
  gap: number
}

/** Whether the stroke that a trace follows goes on at `y`; if so, where its middle is. */
const nextMiddle = (strokes: Uint8Array, width: number, y: number, near: number): number | undefined => {
  for (const x of [near, near - 1, near + 1]) {
    if (strokes[y * width + x] !== 1) continue
    let [from, to] = [x, x]
    while (strokes[y * width + from - 1] === 1 && x - from < reach) from--
    while (strokes[y * width + to + 1] === 1 && to - x < reach) to++
    return Math.round((from + to) / 2)
  }
  return undefined
}

/** Whether a pixel is darker than the paper at one side: letters may touch the other. */
const isDark = ({ pixels, width }: PageImage, x: number, y: number): boolean => {
  const at = y * width + x
  const lighter = Math.max(pixels[at - reach] ?? 0, pixels[at + reach] ?? 0)
  return lighter >= (pixels[at] ?? 0) + contrast
}

/** Follows a stroke down from a pixel. */
const traceFrom = (strokes: Uint8Array, image: PageImage, x: number, top: number): Trace => {
  const { height, width } = image
  const trace: Trace = { top, middles: [x], gap: 0 }
  for (let y = top + 1; y < height; y++) {
    const last = trace.middles.at(-1) ?? x
    const isLong = trace.middles.length >= longStroke
    const middle =
      nextMiddle(strokes, width, y, last) ?? (isLong && isDark(image, last, y) ? last : undefined)
    trace.gap = middle === undefined ? trace.gap + 1 : 0
    if (trace.gap > longestGap) break
    const now = middle ?? last
    if (Math.abs(now - x) > 2 + (y - top) / steepness) break
    trace.middles.push(now)
  }
  trace.middles.length -= Math.min(trace.gap, trace.middles.length)
  return trace
}

/** How tall letters are by the strokes of a picture: three quarters of the strokes are shorter. */
const letterHeight = (lengths: ReadonlyArray<number>): number =>
  lengths.toSorted((a, b) => a - b)[Math.floor(0.75 * lengths.length)] ?? 0

/** Whether two rules may be borders of the same table: one is next to at least half of the other. */
const areSideBySide = (a: VerticalRule, b: VerticalRule): boolean => {
  const shared = Math.min(a.top + a.middles.length, b.top + b.middles.length) - Math.max(a.top, b.top)
  return 2 * shared >= Math.min(a.middles.length, b.middles.length)
}

/** The vertical rules of a picture: strokes that are much taller than letters, such as borders of tables. */
export const verticalRules = (image: PageImage): ReadonlyArray<VerticalRule> => {
  const strokes = strokesOf(image)
  const { height, width } = image
  const tall: Array<VerticalRule> = []
  const lengths: Array<number> = []
  for (let y = 0; y < height; y++) {
    for (let x = reach; x < width - reach; x++) {
      if (strokes[y * width + x] !== 1) continue
      const trace = traceFrom(strokes, image, x, y)
      for (const [i, middle] of trace.middles.entries())
        strokes.fill(0, (y + i) * width + middle - reach + 1, (y + i) * width + middle + reach)
      const length = trace.middles.length
      if (length >= shortestStroke) lengths.push(length)
      if (length >= shortestRule) tall.push(trace)
    }
  }
  const least = letters * letterHeight(lengths)
  const rules = tall.filter(({ middles }) => middles.length >= least)
  return rules.filter((rule) => rules.some((other) => other !== rule && areSideBySide(rule, other)))
}

/** The picture without its vertical rules, which engines take for letters. */
export const withoutVerticalRules = (image: PageImage): PageImage => {
  const rules = verticalRules(image)
  if (rules.length === 0) return image
  const { width } = image
  const pixels = Uint8Array.from(image.pixels)
  for (const { middles, top } of rules) {
    for (const [i, middle] of middles.entries()) {
      const row = (top + i) * width
      const [left, right] = [
        image.pixels[row + middle - reach] ?? 255,
        image.pixels[row + middle + reach] ?? 255
      ]
      const isTouched = Math.abs(left - right) >= contrast
      for (let x = 1 - reach; x < reach; x++) {
        const between = left + ((right - left) * (x + reach)) / (2 * reach)
        // The letters that touch a rule end before it.
        if (!isTouched || Math.abs(x) < reach - 1)
          pixels[row + middle + x] = isTouched ? Math.max(left, right) : Math.round(between)
      }
    }
  }
  return { ...image, pixels }
}
