import { type Levels, levelsOf, moved, partOf, stepFor } from "./Ink.ts"
import { aroundEnd, columnsOf, distanceTo, paperShare, type Pyramid, widestSpace } from "./LineColumns.ts"
import { withoutOverlaps } from "./OverlappingLines.ts"
import type { TextBox } from "./TextBox.ts"
import { withWholeLetters } from "./WholeLetters.ts"

/** The paper that a line keeps at its ends. */
const air = 0.15
/** How far a line is looked at beyond its end at a time, in its heights, and how often at most. */
const look = 3
const mostLooks = 20
/** Pieces of a line: the middle of one is at most this far off the other's, in heights, and none is higher by this factor. */
const besides = 0.35
const alike = 2.5

/** How far the letters of a line go on beyond its end, in pixels, up to `limit`. */
const beyond = (pyramid: Pyramid, box: TextBox, levels: Levels, side: 1 | -1, limit: number): number => {
  const step = stepFor(box)
  const space = (widestSpace * box.h) / step
  let [letters, at] = [0, 0]
  for (let looks = 0; looks < mostLooks; looks++) {
    const end = { ...box, w: box.w + 2 * at * step }
    const columns = columnsOf(pyramid, aroundEnd(end, side, 0, look * box.h), levels)
    for (const ink of side === 1 ? columns : columns.toReversed()) {
      at++
      if (ink === undefined || at * step > limit) return letters * step
      if (ink > paperShare) letters = at
      else if (at - letters > space) return letters * step
    }
  }
  return letters * step
}

/** The line with the letters beyond its ends, of which the network marks too few pixels. */
const withEnds = (pyramid: Pyramid, box: TextBox, others: ReadonlyArray<TextBox>): TextBox => {
  const levels = levelsOf(partOf(pyramid, box, stepFor(box)))
  if (levels === undefined) return box
  const [left, right] = ([-1, 1] as const).map((side) => {
    const free = others.reduce((least, other) => {
      const distance = other === box ? undefined : distanceTo(other, box, side)
      return distance === undefined ? least : Math.min(least, distance)
    }, Infinity)
    const length = free <= 0 ? 0 : beyond(pyramid, box, levels, side, free)
    return length === 0 ? 0 : Math.min(free, length + air * box.h)
  })
  if (left === undefined || right === undefined || left + right === 0) return box
  return moved({ ...box, w: box.w + left + right }, (right - left) / 2, 0)
}

/** Whether no paper between two boxes is wider than a space. */
const areJoined = (pyramid: Pyramid, left: TextBox, distance: number): boolean => {
  const around = aroundEnd(left, 1, left.h, Math.max(0, distance) + left.h)
  const levels = levelsOf(partOf(pyramid, left, stepFor(left)))
  if (levels === undefined) return false
  const step = stepFor(around)
  let [paper, widest] = [0, 0]
  for (const ink of columnsOf(pyramid, around, levels)) {
    if (ink === undefined) return false
    paper = ink > paperShare ? 0 : paper + 1
    widest = Math.max(widest, paper)
  }
  return widest * step < widestSpace * left.h
}

/** Both boxes in one, in the direction of the longer one. */
const joined = (a: TextBox, b: TextBox): TextBox => {
  const long = a.w >= b.w ? a : b
  const short = long === a ? b : a
  const [dx, dy] = [short.cx - long.cx, short.cy - long.cy]
  const [along, across] = [dx * long.ux + dy * long.uy, dy * long.ux - dx * long.uy]
  const [left, right] = [
    Math.min(-long.w / 2, along - short.w / 2),
    Math.max(long.w / 2, along + short.w / 2)
  ]
  const [top, bottom] = [
    Math.min(-long.h / 2, across - short.h / 2),
    Math.max(long.h / 2, across + short.h / 2)
  ]
  return moved({ ...long, w: right - left, h: bottom - top }, (left + right) / 2, (top + bottom) / 2)
}

const isPiece = (left: TextBox, right: TextBox, distance: number): boolean => {
  const [dx, dy] = [right.cx - left.cx, right.cy - left.cy]
  const height = Math.min(left.h, right.h)
  return (
    distance < widestSpace * height &&
    Math.max(left.h, right.h) < alike * height &&
    Math.abs(dy * left.ux - dx * left.uy) < besides * height
  )
}

/** Lines that the network parts within a word or at a space, each in one. */
const withoutCuts = (pyramid: Pyramid, boxes: ReadonlyArray<TextBox>): ReadonlyArray<TextBox> => {
  const whole: Array<TextBox> = []
  for (const box of boxes.toSorted((a, b) => a.cx - b.cx)) {
    const at = whole.findIndex((left) => {
      const distance = distanceTo(box, left, 1)
      return distance !== undefined && isPiece(left, box, distance) && areJoined(pyramid, left, distance)
    })
    const left = whole[at]
    if (left === undefined) whole.push(box)
    else whole[at] = joined(left, box)
  }
  return whole
}

/** The lines, each with all of its letters, and from its first one to its last. */
export const withWholeLines = (pyramid: Pyramid, boxes: ReadonlyArray<TextBox>): ReadonlyArray<TextBox> => {
  const lines = boxes.flatMap((box) => withWholeLetters(pyramid, box))
  const whole = lines.map((box) => withEnds(pyramid, box, lines))
  return withoutOverlaps(pyramid, withoutCuts(pyramid, whole))
}
