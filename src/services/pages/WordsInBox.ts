import type { Box } from "../../domain/DocumentIR.ts"
import type { PageText } from "../../domain/PageText.ts"

/** Whether a word is in the box, by its centre. */
const isIn = (word: Box, box: Box): boolean => {
  const [x, y] = [word.x + word.w / 2, word.y + word.h / 2]
  return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h
}

/** The text in a box of an upright page: its words, line by line. */
export const wordsInBox = ({ lines }: PageText, box: Box): string =>
  lines
    .map(({ words }) =>
      words
        .filter(({ bbox }) => isIn(bbox, box))
        .map(({ text }) => text)
        .join(" ")
    )
    .filter((line) => line !== "")
    .join(" ")
