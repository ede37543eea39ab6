import type { OcrWord } from "../Ocr.ts"
import type { Character } from "./DecodeLine.ts"
import type { ReadLine } from "./RecogniseLines.ts"
import { uprightPart } from "./TextBox.ts"

/** The boxes of lines are a little higher than their letters. */
const shareOfHeight = 0.8
/** The network sees a character slightly beyond its steps. */
const margin = 0.25

const middleOf = ({ from, to }: Character): number => (from + to + 1) / 2

/** Half the width of a character, in steps. */
const halfPitch = (characters: ReadonlyArray<Character>): number => {
  const [first, last] = [characters[0], characters.at(-1)]
  if (first === undefined || last === undefined || characters.length < 2) return 1.5
  return Math.max(0.5, (middleOf(last) - middleOf(first)) / (characters.length - 1) / 2)
}

const isDigit = ({ text }: Character): boolean => /^\d$/u.test(text)

/** The mean of the characters; of a number its weakest digit, which the mean of ten would hide. */
const probabilityOf = (word: ReadonlyArray<Character>): number =>
  word.some(isDigit)
    ? Math.min(...word.filter(isDigit).map(({ probability }) => probability))
    : Math.min(1, word.reduce((sum, { probability }) => sum + probability, 0) / word.length)

const isSpace = ({ text }: Character): boolean => text === " " || text === "\u3000"

/** Corrects spellings: the dictionary has a Greek beta but no sharp s, which looks the same. */
const spelled = (text: string): string => (/[a-z]/iu.test(text) ? text.replaceAll("β", "ß") : text)

/** The words of a line, from left to right, with upright boxes in pixels of the picture. */
export const wordsOfLine = ({ box, characters, steps }: ReadLine): Array<OcrWord> => {
  const reach = halfPitch(characters) + margin
  const words: Array<Array<Character>> = [[]]
  for (const character of characters) {
    if (isSpace(character)) words.push([])
    else words.at(-1)?.push(character)
  }
  return words.flatMap((word): Array<OcrWord> => {
    const [first, last] = [word[0], word.at(-1)]
    if (first === undefined || last === undefined) return []
    const from = Math.max(0, middleOf(first) - reach) / steps
    const to = Math.min(steps, middleOf(last) + reach) / steps
    return [
      {
        text: spelled(word.map(({ text }) => text).join("")),
        bbox: uprightPart(box, from, to, shareOfHeight),
        confidence: probabilityOf(word)
      }
    ]
  })
}
