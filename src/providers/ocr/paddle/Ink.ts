import { cutLine } from "./CutLine.ts"
import type { GrayImage } from "./GrayImage.ts"
import type { TextBox } from "./TextBox.ts"

/** What a part of a picture is printed on, and in. */
export interface Levels {
  readonly paper: number
  /** How much darker than the paper its ink is; less than 0 for light print on dark. */
  readonly contrast: number
}

/** Ink differs from the paper by at least this share of what it differs by at most. */
const inkShare = 0.4
/** The share of pixels that differ most, which the contrast is taken from. */
const extreme = 0.02
/** With less contrast there is nothing to see. */
const leastContrast = 24

/** By how much the most extreme pixels at one side of the paper differ from it. */
const contrastTo = (counts: Uint32Array, paper: number, all: number, side: 1 | -1): number => {
  let left = extreme * all
  for (let contrast = 255; contrast > 0; contrast--) {
    left -= counts[paper - side * contrast] ?? 0
    if (left <= 0) return contrast
  }
  return 0
}

/** The commonest level of a picture is its paper; undefined where nothing is printed. */
export const levelsOf = ({ pixels }: Pick<GrayImage, "pixels">): Levels | undefined => {
  const counts = new Uint32Array(256)
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1
  let [paper, most] = [255, 0]
  for (let level = 0; level < 256; level++) {
    const near = (counts[level - 1] ?? 0) + (counts[level] ?? 0) + (counts[level + 1] ?? 0)
    if (near > most) [paper, most] = [level, near]
  }
  const [dark, light] = ([1, -1] as const).map((side) => contrastTo(counts, paper, pixels.length, side))
  const contrast = (dark ?? 0) >= (light ?? 0) ? (dark ?? 0) : -(light ?? 0)
  return Math.abs(contrast) < leastContrast ? undefined : { paper, contrast }
}

/** How much of the ink there is at a level: 1 for the ink itself, 0 or less for paper and what is lighter (darker) still. */
const inkAt = (level: number, { contrast, paper }: Levels): number => (paper - level) / contrast

/** Whether a pixel of this level is ink. */
export const isInk = (level: number, levels: Levels): boolean => inkAt(level, levels) > inkShare

/** The share of a picture from which another paper in it counts, and by how much lighter it is, as a share of the contrast. */
const otherPaper = 0.03
const lighter = 0.25

/** Whether a part of a picture has another paper than most pages: it is printed in light, or in a band that ends in it. */
export const isOnBand = (pixels: Uint8Array, levels: Levels): boolean =>
  levels.contrast < 0 ||
  pixels.reduce((count, level) => (inkAt(level, levels) < -lighter ? count + 1 : count), 0) >
    otherPaper * pixels.length

/** The level as it would be in black on white. */
export const blackOnWhite = (level: number, levels: Levels): number =>
  Math.round(255 * (1 - Math.max(0, Math.min(1, inkAt(level, levels)))))

/** Lines are looked at in at most so many rows of pixels. */
const mostRows = 40

/** The pixels of the picture for each one that is looked at in a line of this height. */
export const stepFor = ({ h }: TextBox): number => Math.max(1, h / mostRows)

/** The longest run of ink in a letter, in heights of the line. */
const longest = 1.5
/** The same in pixels that are looked at. */
export const longestRun = (box: TextBox): number => (longest * box.h) / stepFor(box)

/** A part of the picture, straightened. */
export const partOf = (pyramid: ReadonlyArray<GrayImage>, box: TextBox, step: number): GrayImage => {
  const [width, height] = [Math.max(1, Math.round(box.w / step)), Math.max(1, Math.round(box.h / step))]
  const pixels = new Uint8Array(width * height)
  cutLine(pyramid, box, { values: pixels, offset: 0, stride: width, width, height }, 1, 0)
  return { width, height, pixels }
}

/**
 * The number of ink pixels of each row and each column. A run of them that is longer than `longest` is no letter, but a rule or the
 * edge of a band, and is left out: `rules` has the pixels of such runs for each row.
 */
export const inkOf = ({ height, pixels, width }: GrayImage, levels: Levels, longest: number) => {
  const [rows, columns, rules] = [new Uint32Array(height), new Uint32Array(width), new Uint32Array(height)]
  for (let row = 0; row < height; row++) {
    let run = 0
    for (let column = 0; column <= width; column++) {
      const level = column < width ? pixels[row * width + column] : undefined
      if (level !== undefined && isInk(level, levels)) run++
      else {
        if (run <= longest) {
          rows[row] = (rows[row] ?? 0) + run
          for (let at = column - run; at < column; at++) columns[at] = (columns[at] ?? 0) + 1
        } else rules[row] = (rules[row] ?? 0) + run
        run = 0
      }
    }
  }
  return { rows, columns, rules }
}

/** The box moved along the text and across it. */
export const moved = (box: TextBox, along: number, across: number): TextBox => ({
  ...box,
  cx: box.cx + along * box.ux - across * box.uy,
  cy: box.cy + along * box.uy + across * box.ux
})
