import { levelsOf, moved, partOf, stepFor } from "./Ink.ts"
import { aroundEnd, columnsOf, distanceTo, paperShare, type Pyramid } from "./LineColumns.ts"
import type { TextBox } from "./TextBox.ts"

/** How far boxes of one line may overlap, in heights of the lower one, and how much higher one of them may be. */
const mostOverlap = 1
const alike = 1.5

const isOfSameLine = (left: TextBox, right: TextBox): boolean =>
  Math.max(left.h, right.h) <= alike * Math.min(left.h, right.h)

/** The middle of the widest paper around an end of a box, in pixels beyond it; negative inside. Undefined without paper. */
const middleOfPaper = (
  pyramid: Pyramid,
  box: TextBox,
  inside: number,
  outside: number
): number | undefined => {
  const levels = levelsOf(partOf(pyramid, box, stepFor(box)))
  if (levels === undefined) return undefined
  const around = aroundEnd(box, 1, inside, outside)
  const columns = columnsOf(pyramid, around, levels)
  let [paper, widest, middle] = [0, 0, 0]
  for (const [at, ink] of columns.entries()) {
    paper = ink !== undefined && ink <= paperShare ? paper + 1 : 0
    if (paper <= widest) continue
    widest = paper
    middle = at + 1 - paper / 2
  }
  return widest === 0 ? undefined : (middle / columns.length) * (inside + outside) - inside
}

/** A box whose end moves by `by` pixels outwards; its other end stays. */
const endMoved = (box: TextBox, side: 1 | -1, by: number): TextBox =>
  moved({ ...box, w: box.w + by }, (side * by) / 2, 0)

/**
 * The boxes of a line, of which none reaches into another: between words that are a space apart, each box is expanded over the
 * first letter of the next word or a part of it, which would be read twice. They are parted in the middle of the paper.
 */
export const withoutOverlaps = (pyramid: Pyramid, boxes: ReadonlyArray<TextBox>): ReadonlyArray<TextBox> => {
  const parted = boxes.toSorted((a, b) => a.cx - b.cx)
  for (const [i] of parted.entries()) {
    for (const [j] of parted.entries()) {
      const [left, right] = [parted[i], parted[j]]
      if (left === undefined || right === undefined || j <= i || !isOfSameLine(left, right)) continue
      const distance = distanceTo(right, left, 1)
      const height = Math.min(left.h, right.h)
      if (distance === undefined || distance >= 0 || -distance > mostOverlap * height) continue
      // The paper is where they overlap, or right next to it.
      const by = middleOfPaper(pyramid, left, -distance + height / 2, height / 2)
      if (by === undefined || left.w + by < height / 4 || right.w - (by - distance) < height / 4) continue
      parted[i] = endMoved(left, 1, by)
      parted[j] = endMoved(right, -1, distance - by)
    }
  }
  return parted
}
