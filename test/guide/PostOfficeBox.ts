import { around } from "../../src/extraction/layout/PageModel.ts"
import type { Finder } from "../../src/extraction/names/Finder.ts"
import { textOfWords } from "../../src/domain/LineText.ts"

/** Finds post office boxes, such as `P.O. Box 1207`. */
export const postOfficeBoxFinder: Finder = {
  find: ({ pages }) =>
    pages.flatMap(({ rows }, page) =>
      rows.flatMap((tokens, row) => {
        const text = textOfWords(tokens)
        const value = /\bP\.?O\.? Box (\d+)/iu.exec(text)?.[1]
        if (value === undefined) return []
        const span = { page, row, from: 0, to: tokens.length - 1 }
        return [{ span, bbox: around(tokens), text, value, quality: 1, score: 0.9 }]
      })
    )
}
