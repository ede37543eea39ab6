import type { GrayImage } from "./GrayImage.ts"
import { inkOf, type Levels, longestRun, moved, partOf, stepFor } from "./Ink.ts"
import type { TextBox } from "./TextBox.ts"

export type Pyramid = ReadonlyArray<GrayImage>

/** The widest paper within a line, in its heights: a space between words is narrower, one between columns wider. */
export const widestSpace = 0.4
/** A column with more ink than this share is a rule. */
const ruleShare = 0.7
/** A column with less ink than this share of the height is paper: dust. */
export const paperShare = 0.04

/** How far `other` is beyond the end of a box, along it; negative if they overlap. Undefined if it is not in the same line, on this side. */
export const distanceTo = (other: TextBox, box: TextBox, side: 1 | -1): number | undefined => {
  const [dx, dy] = [other.cx - box.cx, other.cy - box.cy]
  const along = side * (dx * box.ux + dy * box.uy)
  const across = Math.abs(dy * box.ux - dx * box.uy)
  if (along <= 0 || across > (box.h + other.h) / 4) return undefined
  return along - (box.w + other.w) / 2
}

/** The part of a line's height around an end of a box: `inside` and `outside` of it. */
export const aroundEnd = (box: TextBox, side: 1 | -1, inside: number, outside: number): TextBox =>
  moved({ ...box, w: inside + outside }, side * (box.w / 2 + (outside - inside) / 2), 0)

/** Where letters are that count, in heights of the line: rules run along above and below them. */
const middle = 0.7
/** A rule across the line, and the end of its paper, are higher than any letter. */
const high = 1.5

/** The ink of each column of a part of a line, as a share of its height; undefined for a rule. */
export const columnsOf = (
  pyramid: Pyramid,
  part: TextBox,
  levels: Levels
): ReadonlyArray<number | undefined> => {
  const [letters, all] = [middle, high].map((share) => {
    const picture = partOf(pyramid, { ...part, h: share * part.h }, stepFor(part))
    return Array.from(inkOf(picture, levels, longestRun(part)).columns, (ink) => ink / picture.height)
  })
  return (letters ?? []).map((ink, at) => ((all?.[at] ?? 0) > ruleShare ? undefined : ink))
}
