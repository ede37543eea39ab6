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

  it.effect.each([
    ["Bedachungen", "Bedachungen Kruse & Sohn GmbH"],
    ["Rechnung", "Kruse & Sohn GmbH"],
    ["Telefon", "Kruse & Sohn GmbH"]
  ] as const)(
    "ends the name that one large word begins above it, and no title or heading: %s",
    ([above, whole]) =>
      Effect.gen(function* () {
        const page = placedPage([
          { x: 40, y: 40, text: above },
          { x: 40, y: 60, text: "Kruse & Sohn GmbH" },
          ...linesOf(80, 14, [{ 40: "Deichweg 3, 26721 Emden" }, { 40: "Tel. 04921 55 01 18" }])
        ])
        assert.strictEqual(yield* sellerOn(withLarge(9, page, 2)), whole)
      })
  )

  it.effect("ends the name of a letterhead where smaller letters go on", () =>
    Effect.gen(function* () {
      const page = placedPage(
        linesOf(40, 20, [
          { 40: "GARAGE DES REMPARTS SARL Agence multimarques" },
          { 40: "Route de Berne 44, 1680 Romont" }
        ])
      )
      const name = yield* sellerOn(withLarge(4, page))
      assert.strictEqual(name, "GARAGE DES REMPARTS SARL")
    })
  )
})

it.effect("a name whose letters are far apart is read as its foot prints it", () =>
  Effect.gen(function* () {
    const page = placedPage([
      { x: 40, y: 40, text: "Ruswa rp Brewing Company" },
      ...linesOf(80, 14, [{ 40: "The Fylingdales Inn" }, { 40: "Thorpe Lane, Whitby" }]),
      ...linesOf(760, 14, [
        { 40: "Ruswarp Brewing Company Ltd, Sleights Road, Whitby YO21 1NH. VAT 198 7744 03" }
      ])
    ])
    assert.strictEqual(yield* sellerOn(withLarge(9, page)), "Ruswarp Brewing Company")
  })
)
