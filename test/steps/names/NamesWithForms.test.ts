import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { sellerOn } from "./SellerOn.ts"

const nameOn = (...lines: Parameters<typeof placedPage>[0]) => sellerOn(placedPage(lines))

describe("a legal form", () => {
  it.effect("belongs to the name before it, also behind a gap", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "TASMAN RURAL SUPPLIES", 166: "LTD", 420: "TAX INVOICE" },
          { 40: "PO Box 14 Motueka 7143" }
        ])
      )
      assert.strictEqual(name, "TASMAN RURAL SUPPLIES LTD")
    })
  )

  it.effect("belongs to no heading above the name, which would have had room for its first word", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [{ 40: "Hultmans", 320: "Faktura" }, { 320: "Fakturanr 3148" }]),
        // The block of the customer ends far above the foot.
        ...linesOf(400, 14, [{ 40: "Köpare: Birgitta Noreng, Korsängsgatan 18" }]),
        ...linesOf(700, 12, [
          { 40: "Adress", 260: "Telefon", 340: "Bankgiro", 440: "Org.nr" },
          {
            40: "Hultmans Åkeri & Schakt i Vetlanda",
            260: "0383-76 04 10",
            340: "5217-8804",
            440: "556704-2218"
          },
          { 40: "AB", 260: "E-post", 340: "Plusgiro", 440: "Momsreg.nr" },
          { 40: "Upplanda 3", 260: "fa@hultmans.se", 340: "41 70 22-6", 440: "SE556704221801" }
        ])
      )
      assert.strictEqual(name, "Hultmans Åkeri & Schakt i Vetlanda AB")
    })
  )

  it.effect.each([
    ["Körfez Doğal Ürünler Sanayi ve Ticaret", "Limited Şirketi"],
    ["AUTOTRANSPORTES QUINTANILLA", "SA DE CV"],
    ["AUTOTRANSPORTES QUINTANILLA", "S.A. de C.V."]
  ])("belongs to the name above it, whole or in part: %s / %s", ([above = "", below = ""]) =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [{ 40: above }, { 40: below }, { 40: "Carretera 57, 76246 El Marqués" }])
      )
      assert.strictEqual(name, `${above} ${below}`)
    })
  )

  it.effect("alone is no name", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [{ 40: "LTD", 420: "TAX INVOICE" }, { 40: "PO Box 14 Motueka 7143" }])
      )
      assert.notStrictEqual(name, "LTD")
    })
  )

  it.effect("is none before a county", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "Ballyvaughan Bee Supplies", 420: "SALES INVOICE" },
          { 40: "The Old Creamery, Ballyvaughan, Co. Clare H91 X4P2   VAT IE 3344556QA" }
        ])
      )
      assert.strictEqual(name, "Ballyvaughan Bee Supplies")
    })
  )

  it.effect("may be in front of the name", () =>
    Effect.gen(function* () {
      const romanian = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "Furnizor: S.C. CARBODIST S.R.L.", 420: "FACTURA" },
          { 40: "CIF: RO28811042" },
          { 40: "Banca: Banca Transilvania" }
        ])
      )
      assert.strictEqual(romanian, "S.C. CARBODIST S.R.L.")
      for (const name of ["株式会社 北浜食品", "株式会社北浜食品"]) {
        const japanese = yield* nameOn(
          ...linesOf(40, 14, [
            { 40: "居酒屋 はなび 御中", 420: "請求書" },
            { 40: "下記の通りご請求申し上げます。" },
            { 330: name },
            { 330: "〒541-0041 大阪市中央区北浜2-3-8" }
          ])
        )
        assert.strictEqual(japanese, name)
      }
    })
  )

  const forms = `
    GmbH; GmbH & Co. KG; AG & Co. KGaA; UG (haftungsbeschränkt); e.K.; OHG; B.V.; N.V.; SARL; S.A.;
    S.A.S.; EURL; S.L.U.; Lda.; Ltda.; S.A. de C.V.; S. de R.L. de C.V.; A/S; ApS; AB; Sp. z o.o.;
    Sp. z o.o. Sp. k.; S.r.l.; S.r.l. Unipersonale; S.p.A.; d.o.o.; s.r.o.; a.s.; Inc.; Corp.;
    Co., Ltd.; Pte. Ltd.; Pvt. Ltd.; Pty. Ltd.; Pty Ltd; Sdn. Bhd.; PLC; LLP; Oy; AS; Kft.; Zrt.;
    Ltd. Şti.; San. ve Tic. A.Ş.; SRL; SIA; UAB; Α.Ε.; ООО`
    .split(";")
    .map((form) => form.trim())
  const pages = [
    ["alone in a line", (name: string) => name],
    ["before an address", (name: string) => `${name} · Hauptstr. 5 · 12345 Berlin`],
    ["behind a label", (name: string) => `Seller: ${name}`]
  ] as const

  it.effect.each(pages)("of any country is a part of the name: %s", ([, print]) =>
    Effect.gen(function* () {
      const names = forms.map((form) => `Brackwede ${form}`)
      const found = yield* Effect.forEach(names, (name) =>
        nameOn(...linesOf(40, 14, [{ 40: print(name), 420: "INVOICE" }, { 40: "PO Box 14 Motueka 7143" }]))
      )
      assert.deepStrictEqual(found, names)
    })
  )
})
