import type { RawWord } from "../formats/FormatReader.ts"

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const hasLetter = /\p{L}/u
const isNumber = /^[\p{Sc}+-]?\p{N}[\p{N}.,:/%-]*$/u

type Direction = "left" | "right" | "none"

const directionOf = ({ text }: RawWord): Direction =>
  rightToLeft.test(text) ? "right" : hasLetter.test(text) ? "left" : "none"

/** Words against the direction of their line belong together only across spaces, not across the cells of a table. */
const isNear = (one: RawWord, other: RawWord): boolean =>
  Math.max(one.x, other.x) - Math.min(one.x + one.w, other.x + other.w) < 0.8 * Math.max(one.h, other.h)

/** The index after the last word of a run that begins at `first`, all in the same direction. */
const endOfRun = (
  words: ReadonlyArray<RawWord>,
  directions: ReadonlyArray<Direction>,
  first: number
): number => {
  let end = first + 1
  for (let i = end; i < words.length; i++) {
    const [before, word] = [words[i - 1], words[i]]
    if (before === undefined || word === undefined || !isNear(before, word)) break
    if (directions[i] === directions[first]) end = i + 1
    else if (directions[i] !== "none") break
  }
  return end
}

/** Reverses runs against the direction of the line, such as `Windows Server 2022` in Hebrew. */
const withRunsTurned = (words: ReadonlyArray<RawWord>, against: Direction): Array<RawWord> => {
  const directions = words.map(directionOf)
  const ordered: Array<RawWord> = []
  for (let i = 0; i < words.length;) {
    const end = directions[i] === against ? endOfRun(words, directions, i) : i + 1
    const run = words.slice(i, end).toReversed()
    // A number right after Latin letters belongs to them; in a Hebrew row, it comes before them here.
    const [last, number] = [words[i], ordered.at(-1)]
    const isTheirs = against === "left" && directions[i] === against && number !== undefined
    if (isTheirs && last !== undefined && isNumber.test(number.text) && isNear(last, number)) {
      ordered.pop()
      run.push(number)
    }
    ordered.push(...run)
    i = end
  }
  return ordered
}

/**
 * Sorts the words of one row into reading order. A row runs from right to left if most words with letters are in
 * Hebrew, Arabic or a similar script; words of the other direction keep their own order within it. After the Unicode
 * Bidirectional Algorithm (UAX #9), in reverse: from positions to logical order, word by word.
 */
export const inReadingDirection = (words: ReadonlyArray<RawWord>): Array<RawWord> => {
  const turned = words.filter((word) => rightToLeft.test(word.text)).length
  const fromLeft = () => words.toSorted((a, b) => a.x - b.x)
  if (turned === 0) return fromLeft()
  const lettered = words.filter((word) => hasLetter.test(word.text)).length
  if (turned * 2 <= lettered) return withRunsTurned(fromLeft(), "right")
  const fromRight = words.toSorted((a, b) => b.x + b.w - (a.x + a.w))
  return withRunsTurned(fromRight, "left")
}
