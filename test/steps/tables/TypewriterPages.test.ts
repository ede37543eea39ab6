import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { fieldsOf } from "../../../src/extraction/lexicon/FieldsOf.ts"
import { pitchOf, widestSpace } from "../../../src/extraction/layout/Pitch.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

/** A page as scans of typewritten ones are recognised: the boxes of words are as low as their ink. */
const lowLetters = ({ extras, pages }: DocumentIR): DocumentIR => ({
  extras,
  pages: pages.map((page) =>
    Object.assign({}, page, {
      lines: page.lines.map((line) =>
        Object.assign({}, line, {
          words: line.words?.map((word) => {
            const { w, x, y } = word.bbox
            return Object.assign({}, word, { bbox: { x, y: y + 2, w: w - 1.5, h: 6 } })
          })
        })
      )
    })
  )
})

const page = lowLetters(
  printed(
    [
      "Ferronnerie des Deux Ponts SARL                       FACTURE F-2026-0214",
      "4 quai des Forgerons, 74000 Annecy                    Date : 12/02/2026",
      "SIRET 812 447 009 00017                               Echeance : 14/03/2026",
      "",
      "                    Mairie de Faverges",
      "                    1 place de la Mairie, 74210 Faverges",
      "",
      "Designation                         Qte     P.U. HT     Total HT",
      "Garde-corps acier                    12      420,00     5 040,00",
      "Pose et scellement                    3      536,00     1 608,00",
      "",
      "                              Total HT                  6 648,00",
      "                              TVA 20%                   1 329,60",
      "                              Total TTC                 7 977,60"
    ],
    { recognised: true }
  )
)

const read = () =>
  extractByRules(page, {
    fields: fieldsOf(invoiceFields, shippedLexicon()),
    relations: ["subtotal + taxAmount = totalAmount"]
  })

describe("a scan of type of one width", () => {
  it.effect("has whole names, though its spaces are wider than its letters are high", () =>
    Effect.gen(function* () {
      expect((yield* read())["vendorName"]?.value).toBe("Ferronnerie des Deux Ponts SARL")
    })
  )

  it.effect("has whole amounts, though their thousands are a space apart", () =>
    Effect.gen(function* () {
      const { subtotal, taxAmount, totalAmount } = yield* read()
      expect([subtotal?.value, taxAmount?.value, totalAmount?.value]).toEqual([6648, 1329.6, 7977.6])
    })
  )
})

/** Words of four to seven letters. */
const words = (widths: ReadonlyArray<number>) =>
  widths.map((w, at) => ({ text: "abcdefgh".slice(0, 4 + (at % 4)), w }))

describe("the pitch of a page", () => {
  it("is that of its letters where all are of one width", () => {
    const found = words([23, 29, 35, 41, 23, 29, 35, 41, 23])
    expect(pitchOf(found)).toBeCloseTo(6.1, 1)
    expect(widestSpace([{ text: "Total", w: 29 }], 6)).toBeCloseTo(1.75 * (29 / 4.75))
  })

  it("is that of a row in double width", () => {
    expect(widestSpace([{ text: "RECHNUNG", w: 93 }], 6)).toBeCloseTo(1.75 * 12)
  })

  it("is none where letters are of different widths, or where there are few words", () => {
    expect(pitchOf(words([23, 34, 31, 48, 19, 25, 39, 33, 27]))).toBeUndefined()
    expect(pitchOf(words([23, 29, 35]))).toBeUndefined()
  })
})
