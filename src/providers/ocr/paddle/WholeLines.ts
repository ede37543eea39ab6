import type { GrayImage } from "./GrayImage.ts"
import { inkOf, type Levels, levelsOf, longestRun, moved, partOf, stepFor } from "./Ink.ts"
import type { TextBox } from "./TextBox.ts"
import { withWholeLetters } from "./WholeLetters.ts"

type Pyramid = ReadonlyArray<GrayImage>

/** The widest paper within a line, in its heights: a space between words is narrower, one between columns wider. */
const widestSpace = 0.4
/** The paper that a line keeps at its ends. */
const air = 0.15
/** How far a line is looked at beyond its end at a time, in its heights, and how often at most. */
const look = 3
const mostLooks = 20
/** A column with more ink than this share is a rule. */
const ruleShare = 0.7
/** A column with less ink than this share of the height is paper: dust. */
const paperShare = 0.04
/** Pieces of a line: the middle of one is at most this far off the other's, in heights, and none is higher by this factor. */
const besides = 0.35
const alike = 2.5

/** How far `other` is beyond the end of a box, along it; negative if they overlap. Undefined if it is not in the same line, on this side. */
const distanceTo = (other: TextBox, box: TextBox, side: 1 | -1): number | undefined => {
  const [dx, dy] = [other.cx - box.cx, other.cy - box.cy]
  const along = side * (dx * box.ux + dy * box.uy)
  const across = Math.abs(dy * box.ux - dx * box.uy)
  if (along <= 0 || across > (box.h + other.h) / 4) return undefined
  return along - (box.w + other.w) / 2
}

/** The part of a line's height around an end of a box: `inside` and `outside` of it. */
const aroundEnd = (box: TextBox, side: 1 | -1, inside: number, outside: number): TextBox =>
  moved({ ...box, w: inside + outside }, side * (box.w / 2 + (outside - inside) / 2), 0)

/** Where letters are that count, in heights of the line: rules run along above and below them. */
const middle = 0.7
/** A rule across the line, and the end of its paper, are higher than any letter. */
const high = 1.5

/** The ink of each column of a part of a line, as a share of its height; undefined for a rule. */
const columnsOf = (pyramid: Pyramid, part: TextBox, levels: Levels): ReadonlyArray<number | undefined> => {
  const [letters, all] = [middle, high].map((share) => {
    const picture = partOf(pyramid, { ...part, h: share * part.h }, stepFor(part))
    return Array.from(inkOf(picture, levels, longestRun(part)).columns, (ink) => ink / picture.height)
  })
  return (letters ?? []).map((ink, at) => ((all?.[at] ?? 0) > ruleShare ? undefined : ink))
}

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
  return withoutCuts(
    pyramid,
    lines.map((box) => withEnds(pyramid, box, lines))
  )
}
