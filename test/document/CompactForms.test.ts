import { describe, expect, it } from "vitest"
import { compactPage } from "../../src/document/process/CompactPage.ts"
import { compactFormOf, decodePage } from "../../src/document/process/DecodePage.ts"

const word = (text: string, x: number, y: number) => ({
  text,
  x,
  y,
  w: 6.123 * text.length,
  h: 9.876,
  turn: 0 as const
})

describe("the compact form of a page", () => {
  it("is known of a page that was decoded, and is decoded to the same page again", () => {
    const words = [
      word("Menge", 40, 100),
      word("Preis", 200.004, 100),
      word("12", 40, 120),
      word("9,90", 200, 120)
    ]
    const compact = compactPage({ width: 595.276, height: 841.89, words, drawn: false })
    const page = decodePage(compact, 3)
    expect(page.lines.length).toBeGreaterThan(1)
    expect(compactFormOf(page)).toEqual(compact)
    expect(decodePage(structuredClone(compact), 3)).toEqual(page)
    // As in a message from a child, the numbers are a part of a bigger buffer.
    const numbers = new Float32Array(1_000)
    numbers.set(compact.boxes, 10)
    const boxes = numbers.subarray(10, 10 + compact.boxes.length)
    const kept = compactFormOf(decodePage({ ...compact, boxes }, 3))?.boxes
    expect(kept).toEqual(compact.boxes)
    expect(kept?.buffer.byteLength).toBe(boxes.byteLength)
    expect(compactFormOf({ ...page, problem: "changed" })).toBeUndefined()
  })
})
