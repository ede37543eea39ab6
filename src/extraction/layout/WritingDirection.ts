import type { Box } from "../../domain/DocumentIR.ts"

interface Placed extends Box {
  readonly text: string
}

type Direction = "left" | "right" | "none"

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const hasLetter = /\p{L}/u

const directionOf = ({ text }: Placed): Direction =>
  rightToLeft.test(text) && hasLetter.test(text) ? "right" : hasLetter.test(text) ? "left" : "none"

/** Whether anything is written from right to left. */
export const hasRightToLeft = (words: ReadonlyArray<{ readonly text: string }>): boolean =>
  words.some(({ text }) => rightToLeft.test(text))

/** Whether most words with letters are written from right to left. */
export const runsFromRight = (words: ReadonlyArray<{ readonly text: string }>): boolean => {
  const lettered = words.filter(({ text }) => hasLetter.test(text))
  return lettered.filter(({ text }) => rightToLeft.test(text)).length * 2 > lettered.length
}

/**
 * Whether words from right to left follow one another in that direction on their page, as those of lines in reading order do
 * in print. Text that never was on paper has its words from left to right, whatever its script.
 */
export const isSetFromRight = (lines: ReadonlyArray<ReadonlyArray<Placed>>): boolean => {
  let balance = 0
  for (const words of lines)
    for (const [at, word] of words.entries()) {
      const before = words[at - 1]
      if (before !== undefined && directionOf(before) === "right" && directionOf(word) === "right")
        balance += word.x < before.x ? 1 : -1
    }
  return balance >= 0
}

/** A box as it is in a mirror: reading order then runs from left to right. Mirrored twice, it is as it was. */
export const mirrored = <A extends Box>(box: A, width: number): A =>
  Object.assign({}, box, { x: width - box.x - box.w })

/** Words of one run are only a space apart; the cells of a table are not. */
const isNear = (one: Placed, other: Placed): boolean =>
  other.x - (one.x + one.w) < 0.8 * Math.max(one.h, other.h)

/** The end of a run of words against the direction of the row; numbers between its words belong to it. */
const endOfRun = (words: ReadonlyArray<Placed>, from: number, against: Direction): number => {
  let end = from
  for (let at = from; at < words.length; at++) {
    const [before, word] = [words[at - 1], words[at]]
    if (word === undefined || (at > from && before !== undefined && !isNear(before, word))) break
    const direction = directionOf(word)
    if (direction === against) end = at + 1
    // A number in front of Latin words on a mirrored page is what follows them.
    else if (direction !== "none") break
  }
  return end
}

/**
 * The words of a row, from left to right, in reading order: runs against the direction of the page, such as an English name
 * on an Arabic page, change places within their own width. After the Unicode Bidirectional Algorithm (UAX #9), in reverse.
 */
export const withRunsTurned = <A extends Placed>(
  words: ReadonlyArray<A>,
  isMirrored: boolean
): ReadonlyArray<A> => {
  const against = isMirrored ? "left" : "right"
  if (!words.some((word) => directionOf(word) === against)) return words
  const found: Array<A> = []
  for (let from = 0; from < words.length;) {
    const [first] = words.slice(from, from + 1)
    const begins =
      first !== undefined && (directionOf(first) === against || (isMirrored && directionOf(first) === "none"))
    const end = begins ? endOfRun(words, from, against) : from
    const run = words.slice(from, Math.max(end, from + 1))
    const [left = 0, right = 0] = [run[0]?.x, (run.at(-1)?.x ?? 0) + (run.at(-1)?.w ?? 0)]
    found.push(
      ...(run.length < 2
        ? run
        : run.toReversed().map((word) => Object.assign({}, word, { x: left + right - word.x - word.w })))
    )
    from += run.length
  }
  return found
}
