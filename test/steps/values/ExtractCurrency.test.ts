import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("currency", { preset: "invoice.currency" }),
  fieldOf("totalAmount", { preset: "invoice.totalAmount" })
]

const currencyIn = (lines: ReadonlyArray<string>, recognized = false) =>
  Effect.map(extractByRules(printed(lines, { recognized }), { fields, relations: [] }), (found) => ({
    value: found["currency"]?.value,
    confidence: found["currency"]?.confidence ?? 0,
    status: found["currency"]?.status
  }))

describe("currency", () => {
  it.effect("takes words that look like codes for goods", () =>
    Effect.gen(function* () {
      for (const line of ["BALLPOINT PEN 2.50", "RON 95 2.19", "TRY ME CANDY 2.50"]) {
        const { value } = yield* currencyIn(
          ["ABC TRADING SDN BHD", "12 JALAN BESAR, 81100 JOHOR BAHRU", line, "Total 2.50"],
          true
        )
        assert.strictEqual(value, "MYR", line)
      }
    })
  )

  it.effect("takes the tax that an Italian price contains for no Romanian register", () =>
    Effect.gen(function* () {
      const { value } = yield* currencyIn(["BAR CENTRALE", "Caffè 1,20", "TOTALE 1,20", "di cui IVA 0,11"])
      assert.notStrictEqual(value, "RON")
      const romanian = yield* currencyIn(["MAGAZIN SRL", "CUI: RO12345678", "Paine 4,50", "TOTAL 4,50"])
      assert.strictEqual(romanian.value, "RON")
    })
  )

  it.effect("is never sure of a sign that several countries share", () =>
    Effect.gen(function* () {
      const alone = yield* currencyIn(["Corner Shop", "Tea $4.50", "Cake $5.50", "Total $10.00"])
      assert.strictEqual(alone.value, "USD")
      assert.isBelow(alone.confidence, 0.9)
    })
  )

  it.each([
    ["DKK", ["Nordlys ApS", "CVR 12345678", "Vare 100,00 kr", "I alt 100,00 kr"]],
    ["NOK", ["Fjord AS", "Org.nr 123 456 789 MVA", "Vare 100,00 kr", "Totalt 100,00 kr"]],
    ["SEK", ["Skog AB", "Bankgiro 123-4567", "Vara 100,00 kr", "Att betala 100,00 kr"]],
    ["CAD", ["Maple Ltd", "Toronto, ON M5V 2T6", "HST 13%", "Total $10.00"]],
    ["AUD", ["Outback Pty Ltd", "ABN 51 824 753 556", "Tea $4.50", "Total $10.00"]],
    ["ZAR", ["Highveld (Pty) Ltd", "VAT No 4410118822", "Steel R 1 480.00", "Total R 1 480.00"]],
    ["NZD", ["Kea Ltd", "GST No 118-220-771", "Tea $4.50", "Total $10.00"]],
    ["NZD", ["Kea Dairy", "GST 55-118-904", "Tea $4.50", "Total $10.00"]],
    ["BWP", ["Mokolodi Store", "Gaborone, Botswana", "Tea P4.50", "Total P10.00"]],
    ["CAD", ["Boréal inc.", "TPS 5 %  1,00 $", "TVQ 9,975 %  2,00 $", "Total 23,00 $"]],
    ["THB", ["ร้านกาแฟ", "ลาเต้เย็น 65.00", "รวมทั้งสิ้น 65.00"]],
    ["TRY", ["ÇINAR LOKANTASI", "ATATÜRK CAD. NO:18 BODRUM", "TOPKDV *62,27", "TOPLAM *685,00"]],
    ["COP", ["Café Verde", "NIT 901.188.220-7", "Total $ 3.808.000"]],
    ["SGD", ["Lion Pte Ltd", "Tel +65 6123 4567", "Tea $4.50", "Total $10.00"]],
    ["SGD", ["ORCHARD CABS PTE LTD", "Meter fare $4.50", "Total $10.00"]],
    ["ALL", ["Agron sh.p.k.", "NUIS L72320033V", "Buka 120,00 lekë", "Totali 120,00 lekë"]],
    ["MKD", ["Вардар ДООЕЛ", "ДДВ 18% 18,00", "Леб 100,00 денари", "Вкупно 118,00 денари"]],
    ["RSD", ["Pekara Zora", "PIB: 104725113", "Hleb 100,00 din", "Ukupno 100,00 din"]],
    ["TND", ["Librairie El Amal", "M.F. 1234567/A", "Cahier 12,500 dinars", "Total 12,500 dinars"]],
    ["MDL", ["Codru SRL", "IDNO 1003600012345", "Pâine 20,00 lei", "Total 20,00 lei"]],
    ["RON", ["Codru SRL", "CUI: RO12345678", "Pâine 20,00 lei", "Total 20,00 lei"]],
    ["IDR", ["PT Maju Jaya", "NPWP 01.300.000.1-073.000", "Roti Rp 20.000", "Total Rp 20.000"]],
    ["SGD", ["Orchard Cabs", "GST Reg 200912345K", "Meter fare $4.50", "Total $10.00"]],
    ["BAM", ["INVOICE 118", "Pilana Vlašić d.o.o.   ID broj: 4236118820007", "Ukupno 4.914,00"]],
    ["PKR", ["INVOICE 118", "Chenab Textile Traders   STRN 3277876118822", "Total 305,000"]],
    ["LKR", ["INVOICE 118", "Nuwara Tea Machinery, Sri Lanka", "Amount in words: five thousand rupees"]],
    ["USD", ["INVOICE 118", "FLORES DEL COTOPAXI   R.U.C.: 0591188220001", "VALOR TOTAL 977.00"]],
    ["PEN", ["INVOICE 118", "TRANSPORTES CHIRA   R.U.C. 20411882207", "Importe total 3,186.00"]]
  ] as const)("reads %s from a shared sign, a register or the country", (wanted, lines) =>
    Effect.runPromise(
      Effect.map(currencyIn(lines), ({ value }) => assert.strictEqual(value, wanted, lines.join()))
    )
  )

  it.effect("is sure where amounts carry a code, or a sign and the country agree", () =>
    Effect.gen(function* () {
      const code = yield* currencyIn(["Acme", "Item EUR 10.00", "Tax EUR 1.90", "Total EUR 11.90"])
      const sign = yield* currencyIn(["Acme GmbH", "USt-IdNr. DE136695976", "Ware 10,00 €", "Summe 11,90 €"])
      for (const { confidence, value } of [code, sign]) {
        assert.strictEqual(value, "EUR")
        assert.isAtLeast(confidence, 0.9)
      }
    })
  )

  it.effect("infers one that is printed nowhere from the country", () =>
    Effect.gen(function* () {
      const found = yield* currencyIn(["ABC SDN BHD", "JALAN DEDAP, 81100 JOHOR", "TOTAL 12.00"])
      assert.include(found, { value: "MYR", status: "inferred" })
      const nowhere = yield* currencyIn(["ABC TRADING", "TOTAL 12.00"])
      assert.isBelow(nowhere.confidence, 0.9)
    })
  )

  it.effect("takes no digits of another country's tax number for a VAT number", () =>
    Effect.gen(function* () {
      const { value } = yield* currencyIn(["SHOP", "81100 JOHOR BAHRU", "GST ID 000849812504", "TOTAL 12.00"])
      assert.strictEqual(value, "MYR")
    })
  )
})
