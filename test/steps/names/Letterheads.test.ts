import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Box } from "../../../src/domain/DocumentIR.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { sellerOn } from "./SellerOn.ts"

const higher = (bbox: Box): Box => ({ ...bbox, h: 16 })

/** A page with the first words of its first lines in larger letters. */
const withLarge = (
  count: number,
  page: ReturnType<typeof placedPage>,
  most = 1
): ReturnType<typeof placedPage> => {
  const [first] = page.pages
  if (first === undefined) return page
  const lines = first.lines.map((line, at) => {
    if (at >= most) return line
    const words = (line.words ?? []).map(({ bbox, text }, word) => ({
      text,
      bbox: word < count ? higher(bbox) : bbox
    }))
    return Object.assign({}, line, { bbox: higher(line.bbox), words })
  })
  return { ...page, pages: [{ ...first, lines }] }
}

describe("a legal form in a letterhead", () => {
  it.effect("may be in smaller letters below the name in a letterhead", () =>
    Effect.gen(function* () {
      const page = placedPage([
        { x: 40, y: 40, text: "VERDE ALTO" },
        ...linesOf(60, 14, [
          { 40: "Società Cooperativa Sociale a r.l.", 320: "Marche Surgelati S.p.A." },
          { 40: "Via Roma 12, 60125 Ancona", 320: "Via Flaminia 220" },
          { 40: "P.IVA 02118820427", 320: "60126 Ancona" }
        ])
      ])
      const name = yield* sellerOn(withLarge(2, page))
      assert.strictEqual(name, "VERDE ALTO Società Cooperativa Sociale a r.l.")
    })
  )
})
