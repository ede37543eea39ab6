import type { RawWord } from "../FormatReader.ts"

/** Letters of scripts that are also set from top to bottom, and their punctuation. */
const downward =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef\u30fb\u30fc]+$/u

const punctuation = /^[\p{P}\u3000]$/u

/** A run of this many characters is a column; single characters below each other may be the cells of a table. */
const shortestColumn = 4

/** Columns are set solid; rows of a table are further apart. In widths of a character, from one to the next. */
const mostOff = 0.28

interface Column {
  readonly words: Array<RawWord>
  /** The width of a character, which is also its height. */
  size: number
}

/** A number of two or three digits, or an abbreviation, that is set upright in a column, as wide as a character. */
const isTucked = ({ text, turn, w }: RawWord, size: number): boolean =>
  turn === 0 && /^[\p{L}\p{N}]{1,3}$/u.test(text) && w < 1.3 * size

const downwardIn = ({ text }: RawWord): number => [...text].filter((letter) => downward.test(letter)).length

/** How many characters are below each other in a word; a number in it is as high as one. */
const heightOf = (word: RawWord): number =>
  downwardIn(word) + (downward.test(word.text) || downwardIn(word) === 0 ? 0 : 1) || 1

const lengthOf = (words: ReadonlyArray<RawWord>): number =>
  words.reduce((sum, { text }) => sum + [...text].length, 0)

/** Whether the characters of a word are below each other. */
const runsDown = ({ h, text, w }: RawWord): boolean => [...text].length > 1 && h > 1.4 * w

const canStack = (word: RawWord): boolean =>
  word.turn === 0 &&
  2 * downwardIn(word) >= [...word.text].length &&
  ([...word.text].length === 1 || runsDown(word))

/** The last character of a word, which is the word itself where it has only one. Fonts may give more room than its size. */
const lastOf = (word: RawWord, size: number): { readonly y: number; readonly h: number } => {
  const { h, y } = word
  const height = Math.max(0.1 * size, h - (heightOf(word) - 1) * size)
  return { y: y + h - height, h: height }
}

const firstOf = (word: RawWord, size: number): { readonly y: number; readonly h: number } => ({
  y: word.y,
  h: Math.max(0.1 * size, word.h - (heightOf(word) - 1) * size)
})

/** Whether a word is right below a column, in the same line: by the tops, bottoms or middles of two characters. */
const continues = ({ size: before, words }: Column, word: RawWord): boolean => {
  // Fonts give punctuation less room than letters, so it is no measure of places.
  const last = words.findLastIndex(({ text }) => !punctuation.test(text))
  const above = words[Math.max(0, last)]
  if (above === undefined) return false
  const size = Math.max(before, word.w)
  const shared = Math.min(above.x + above.w, word.x + word.w) - Math.max(above.x, word.x)
  if (shared < 0.6 * Math.min(above.w, word.w)) return false
  const distance = size * (words.length - Math.max(0, last))
  const [one, other] = [lastOf(above, size), firstOf(word, size)]
  const middles = other.y + other.h / 2 - one.y - one.h / 2
  const steps = [other.y - one.y, other.y + other.h - one.y - one.h, middles]
  return punctuation.test(word.text)
    ? middles > 0.2 * size && middles < distance + 0.7 * size
    : steps.some((step) => Math.abs(step - distance) < mostOff * size)
}

const columnsOf = (words: ReadonlyArray<RawWord>): Array<Column> => {
  const columns: Array<Column> = []
  let open: Column | undefined
  for (const word of words) {
    if (open !== undefined && (canStack(word) || isTucked(word, open.size)) && continues(open, word)) {
      open.words.push(word)
      open.size = Math.max(open.size, word.w)
    } else if (!canStack(word)) open = undefined
    else {
      open = { words: [word], size: word.w }
      columns.push(open)
    }
  }
  return columns
}

const joined = ({ size, words }: Column): RawWord => {
  const [x, y] = [Math.min(...words.map(({ x }) => x)), Math.min(...words.map(({ y }) => y))]
  const [first, last] = [words[0], words.at(-1)]
  // The room that a font gives above and below its characters reaches into those before and after.
  const above = first === undefined ? 0 : Math.max(0, firstOf(first, size).h - size) / 2
  const below = last === undefined ? 0 : Math.max(0, lastOf(last, size).h - size) / 2
  return {
    ...(first?.bold === true ? { bold: true } : {}),
    text: words.map(({ text }) => text).join(""),
    x,
    y: y + above,
    w: Math.max(...words.map(({ w, x }) => x + w)) - x,
    h: Math.max(...words.map(({ h, y }) => y + h)) - y - above - below,
    // Lines from top to bottom, each to the left of the one before, are those of a page turned clockwise.
    turn: 1
  }
}

/**
 * Joins the characters of text that is set from top to bottom, in columns from right to left, and marks its words as
 * running downwards (`turn` 1). PDFium gives each character as a line of its own, or breaks columns at flat characters.
 */
export const withDownwardWords = (words: Array<RawWord>): Array<RawWord> => {
  const columns = columnsOf(words)
  if (!columns.some(({ words }) => lengthOf(words) >= shortestColumn)) return words
  // On such a page, shorter columns are ends of paragraphs.
  const ofColumn = new Map<RawWord, Column>()
  for (const column of columns) {
    if (lengthOf(column.words) < 2) continue
    for (const word of column.words) ofColumn.set(word, column)
  }
  return words.flatMap((word) => {
    const column = ofColumn.get(word)
    if (column === undefined) return [word]
    return column.words[0] === word ? [joined(column)] : []
  })
}
