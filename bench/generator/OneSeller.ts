import type { DocumentIR } from "../../src/domain/DocumentIR.ts"
import { type Chance, chanceOf } from "./Chance.ts"
import { factsOf, numberOf, partyOf } from "./Facts.ts"
import { sceneOf } from "./Generated.ts"
import { drawInvoice } from "./Invoice.ts"
import { invoiceTruth } from "./InvoiceTruth.ts"
import { drawReceipt, slipOf } from "./Receipt.ts"
import { Sheet } from "./Sheet.ts"
import { styleOf } from "./Style.ts"
import { tongues } from "./Tongues.ts"

/** A document of a seller, and what it says: right answers by field, an empty list where nothing may be found. */
export interface SellerDocument {
  readonly name: string
  readonly document: DocumentIR
  readonly truth: Readonly<Record<string, ReadonlyArray<unknown>>>
}

/** Choices that a seller makes the same way in every document; only digits are those of the document. */
const habitsOf = (seller: string, document: Chance): Chance => {
  const of = (question: string): Chance => chanceOf(`${seller} ${question}`)
  return {
    whole: (low, high) => of(`whole ${low} ${high}`).whole(low, high),
    pick: (list) => of(`pick ${list.length}`).pick(list),
    odds: (share) => of(`odds ${share}`).odds(share),
    some: (list, low, high) => of(`some ${list.length}`).some(list, low, high),
    digits: document.digits
  }
}

/** A document of a seller: layout, words and ways of writing are the seller's; buyer, items and amounts are its own. */
const documentOf = (flow: "invoice" | "receipt", family: number, index: number): SellerDocument => {
  const seller = `one seller ${flow} ${family}`
  const own = chanceOf(`${seller} document ${index}`)
  const chance = habitsOf(seller, own)
  const tongue = chanceOf(`${seller} tongue`).pick(tongues)
  const style = styleOf(chanceOf(`${seller} style`))
  const made = factsOf(own, tongue, { most: 9, rates: 2, taxFree: flow === "invoice" && style.taxFree })
  const party = partyOf(chanceOf(`${seller} party`), tongue, 0.85)
  const facts = { ...made, seller: party, number: numberOf(chance, made.date) }
  const name = `${flow}-of-${family}-${index}-${tongue.tag}`
  if (flow === "invoice") {
    const sheet = new Sheet(595, 842, tongue.mirrored)
    drawInvoice(sceneOf(chance, style, tongue, sheet, facts))
    return { name, document: sheet.document(), truth: invoiceTruth(facts, tongue, style) }
  }
  const slip = slipOf(chanceOf(`${seller} slip`))
  const sheet = new Sheet(226, 560, tongue.mirrored)
  drawReceipt(sceneOf(chance, style, tongue, sheet, facts), slip)
  return {
    name,
    document: sheet.document(),
    truth: {
      merchantName: [party.name],
      date: [facts.date],
      totalAmount: [facts.total],
      ...(slip.symbol === "none" ? {} : { currency: [tongue.currency] })
    }
  }
}

/** Documents of generated sellers from a number on, each with the same layout; the same ones every time. */
export const documentsOfSellers = (
  flow: "invoice" | "receipt",
  sellers: number,
  each: number,
  from = 0
): ReadonlyArray<ReadonlyArray<SellerDocument>> =>
  Array.from({ length: sellers }, (_, family) =>
    Array.from({ length: each }, (__, index) => documentOf(flow, from + family, index))
  )
