import type { DocumentIR, Word } from "../../src/domain/DocumentIR.ts"
import type { Chance } from "./Chance.ts"

/** Letters and signs that recognition takes for each other. */
const lookalikes: Readonly<Record<string, string>> = {
  "0": "O",
  O: "0",
  "1": "l",
  l: "1",
  I: "l",
  "5": "S",
  S: "5",
  "8": "B",
  B: "8",
  "6": "b",
  rn: "m",
  e: "c",
  u: "v",
  ".": ",",
  ",": ".",
  "€": "E",
  é: "e",
  ö: "o",
  ü: "u",
  ł: "l"
}

/** One wrong letter in a word, with the doubt that recognition would have about it. */
const misread = (chance: Chance, word: Word): Word => {
  const letters = [...word.text]
  const at = letters.findIndex((letter) => lookalikes[letter] !== undefined && chance.odds(0.5))
  const wrong = at < 0 ? undefined : lookalikes[letters[at] ?? ""]
  if (wrong === undefined) return { ...word, confidence: chance.whole(60, 95) / 100 }
  return { ...word, text: letters.with(at, wrong).join(""), confidence: chance.whole(25, 85) / 100 }
}

/** A page as recognition gives it: confidences, boxes a little off, some letters wrong and a few words lost. */
export const asScanned = (document: DocumentIR, chance: Chance): DocumentIR => {
  const worn = chance.whole(2, 40) / 1000
  return {
    ...document,
    pages: document.pages.map((page) => ({
      ...page,
      source: "ocr" as const,
      lines: page.lines.flatMap((line) => {
        const words = (line.words ?? []).flatMap((word): ReadonlyArray<Word> => {
          if (chance.odds(worn / 6)) return []
          const off = () => chance.whole(-8, 8) / 10
          const { h, w, x, y } = word.bbox
          const moved = {
            ...word,
            bbox: { x: x + off(), y: y + off(), w, h: h * (0.8 + chance.whole(0, 20) / 100) }
          }
          return [
            chance.odds(2 * worn)
              ? misread(chance, moved)
              : { ...moved, confidence: chance.whole(86, 99) / 100 }
          ]
        })
        return words.length === 0 ? [] : [{ ...line, words, text: words.map(({ text }) => text).join(" ") }]
      })
    }))
  }
}
