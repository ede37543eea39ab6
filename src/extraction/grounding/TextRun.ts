import type { Box } from "../../domain/DocumentIR.ts"
import { letterOrDigit, isDigit, unspaced, normal } from "./Normal.ts"

/** A word on a page. */
export interface RunWord {
  readonly text: string
  readonly box: Box
  /** Which line or row it is in: a value over several lines has a box for each. */
  readonly line: number
}

/** Text in the form it is compared in, with no spaces but those between digits, and the word of every character. */
export interface TextRun {
  readonly text: string
  /** The index of the word that each character belongs to. */
  readonly wordAt: ReadonlyArray<number>
  /** Where something ends that belongs together without a space: 1 at the first character behind it. */
  readonly breaks: ReadonlyArray<boolean>
  readonly words: ReadonlyArray<RunWord>
}

/** Words as a text run, in the order given. */
export const textRunOf = (words: ReadonlyArray<RunWord>): TextRun => {
  const parts: Array<string> = []
  const wordAt: Array<number> = []
  const breaks: Array<boolean> = []
  let last = ""
  for (const [index, word] of words.entries()) {
    const own = normal(word.text).replace(/\s+/gu, "")
    if (own === "") continue
    // "1 2" is not "12"; between letters spaces say less than they should, as printers and readers set them.
    const apart = isDigit(last) && isDigit(own.charAt(0))
    const added = apart ? ` ${own}` : own
    parts.push(added)
    last = added.charAt(added.length - 1)
    for (let at = 0; at < added.length; at++) {
      wordAt.push(index)
      breaks.push(at === 0 || (apart && at === 1))
    }
  }
  return { text: parts.join(""), wordAt, breaks, words }
}

const nowhere: Box = { x: 0, y: 0, w: 0, h: 0 }

/** A value or a quote in the same form. */
export const textRunOfString = (text: string): TextRun =>
  textRunOf(
    text
      .trim()
      .split(/\s+/u)
      .map((word) => ({ text: word, box: nowhere, line: 0 }))
  )

const keptBetweenDigits = /[.,:/-]/u
const meaningful = /[\p{Sc}%]/u

/** A text run without punctuation, except what is between digits: commas where lines end, hyphens that part words. */
export const loosened = (textRun: TextRun): TextRun => {
  const { text, words } = textRun
  const kept: Array<string> = []
  const wordAt: Array<number> = []
  const breaks: Array<boolean> = []
  let dropped = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const between =
      keptBetweenDigits.test(character) &&
      isDigit(text.charAt(at - 1)) &&
      isDigit(text.charAt(at + 1)) &&
      textRun.breaks[at] === false &&
      textRun.breaks[at + 1] === false
    if (character !== " " && !between && !letterOrDigit.test(character) && !meaningful.test(character)) {
      dropped = true
      continue
    }
    // Digits stay apart where punctuation was between them.
    if (dropped && isDigit(character) && isDigit(kept.at(-1) ?? "")) {
      kept.push(" ")
      wordAt.push(textRun.wordAt[at] ?? 0)
      breaks.push(true)
    }
    kept.push(character)
    wordAt.push(textRun.wordAt[at] ?? 0)
    breaks.push(dropped || (textRun.breaks[at] ?? true))
    dropped = false
  }
  return { text: kept.join(""), wordAt, breaks, words }
}

const shortest = 4

/** Whether the characters on both sides of a position belong to one word or number. */
const isJoined = (textRun: TextRun, at: number, length: number): boolean => {
  const { text, breaks } = textRun
  if (at <= 0 || at >= text.length || breaks[at] === true) return false
  const [left, right] = [text.charAt(at - 1), text.charAt(at)]
  if (letterOrDigit.test(left) && letterOrDigit.test(right))
    return !unspaced.test(left) && !unspaced.test(right)
  const further = (sign: string, digit: string, gap: boolean | undefined): boolean =>
    gap !== true && isDigit(digit) && (/[.,:]/u.test(sign) || (/[-/]/u.test(sign) && length < shortest))
  // "234" is not in "1.234,56", but "1234" is in "ABC-1234/9".
  if (isDigit(left)) return further(right, text.charAt(at + 1), breaks[at + 1])
  if (isDigit(right)) return further(left, text.charAt(at - 2), breaks[at - 1])
  return false
}

/** The first and the last word of a stretch of a text run. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

const most = 100

/** Where a string in the same form is in a text run, as whole words; at most 100 places. */
export const stretchesOf = (textRun: TextRun, wanted: string): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  if (wanted === "") return found
  for (let at = textRun.text.indexOf(wanted); at >= 0; at = textRun.text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (isJoined(textRun, at, wanted.length) || isJoined(textRun, end, wanted.length)) continue
    found.push({ from: textRun.wordAt[at] ?? 0, to: textRun.wordAt[end - 1] ?? 0 })
    if (found.length >= most) break
  }
  return found
}
