import type { DocumentIR, Word } from "../../../src/domain/DocumentIR.ts"

const size = 10
const letter = 6

/**
 * A page of lines as plain text is laid out: letters of one width, 0.6 of their height, and a space as wide as a letter.
 * Where `recognized`, each word has the confidence of recognition.
 */
export const printed = (
  lines: ReadonlyArray<string>,
  {
    confidence = 0.95,
    recognized = false
  }: { readonly confidence?: number; readonly recognized?: boolean } = {}
): DocumentIR => ({
  extras: { pageCount: 1 },
  pages: [
    {
      pageNumber: 1,
      width: 600,
      height: 20 * lines.length + 20,
      ...(recognized ? { source: "ocr" as const } : {}),
      lines: lines.map((text, row) => {
        const box = (from: number, length: number) => ({
          x: 10 + from * letter,
          y: 10 + row * 20,
          w: length * letter,
          h: size
        })
        const words = [...text.matchAll(/\S+/gu)].map((match): Word => {
          const word = { text: match[0], bbox: box(match.index, match[0].length) }
          return recognized ? Object.assign(word, { confidence }) : word
        })
        const startChar = lines.slice(0, row).join("\n").length + (row === 0 ? 0 : 1)
        return {
          lineId: `p1_l${row + 1}`,
          text,
          bbox: box(0, text.length),
          startChar,
          endChar: startChar + text.length,
          words
        }
      })
    }
  ]
})
