import type { DocumentIR } from "../../src/domain/DocumentIR.ts"
import type { DocumentKind } from "../../src/extraction/lexicon/DocumentKinds.ts"
import { type Chance, chanceOf } from "./Chance.ts"
import { asScanned } from "./Degrade.ts"
import { type Facts, factsOf } from "./Facts.ts"
import { drawInvoice } from "./Invoice.ts"
import { invoiceTruth } from "./InvoiceTruth.ts"
import type { Scene } from "./InvoiceBlocks.ts"
import { drawOther } from "./Other.ts"
import { drawReceipt, slipOf } from "./Receipt.ts"
import { Sheet } from "./Sheet.ts"
import { type Style, styleOf } from "./Style.ts"
import { type Tongue, tongues } from "./Tongues.ts"

/** A generated document, its family of layouts, and what it says. */
export interface GeneratedDocument {
  readonly name: string
  readonly family: string
  readonly flow: "invoice" | "receipt"
  readonly kind: DocumentKind
  readonly language: string
  readonly document: DocumentIR
  /** Right answers by field; an empty list where nothing may be found. */
  readonly truth: Readonly<Record<string, ReadonlyArray<unknown>>>
}

/** A scene with the way in which a seller writes dates and amounts. */
export const sceneOf = (chance: Chance, style: Style, tongue: Tongue, sheet: Sheet, facts: Facts): Scene => ({
  sheet,
  chance,
  tongue,
  style,
  facts,
  datePattern: chance.pick(tongue.dates),
  amounts: {
    group: chance.odds(0.15) ? "" : tongue.group,
    decimal: tongue.decimal,
    decimals: ["JPY", "KRW", "HUF"].includes(tongue.currency) ? 0 : 2
  },
  margin: sheet.width < 300 ? 10 : chance.pick([36, 45, 50, 56])
})

const finished = (sheet: Sheet, chance: Chance, scanned: number): DocumentIR =>
  chance.odds(scanned) ? asScanned(sheet.document(), chance) : sheet.document()

/** The document `index` of a family of invoices: one language and one content each. */
const invoiceOf = (family: number, index: number): GeneratedDocument => {
  const style = styleOf(chanceOf(`invoice family ${family}`))
  const chance = chanceOf(`invoice ${family} ${index}`)
  const tongue = chance.pick(tongues)
  const facts = factsOf(chance, tongue, { most: 9, rates: 2, taxFree: style.taxFree })
  const sheet = new Sheet(595, 842, tongue.mirrored)
  drawInvoice(sceneOf(chance, style, tongue, sheet, facts))
  return {
    name: `invoice-${family}-${index}-${tongue.tag}`,
    family: `generated invoice ${family}`,
    flow: "invoice",
    kind: "invoice",
    language: tongue.tag,
    document: finished(sheet, chance, 0.25),
    truth: invoiceTruth(facts, tongue, style)
  }
}

const receiptOf = (family: number, index: number): GeneratedDocument => {
  const slip = slipOf(chanceOf(`receipt family ${family}`))
  const chance = chanceOf(`receipt ${family} ${index}`)
  const tongue = chance.pick(tongues)
  const style = styleOf(chance)
  const facts = factsOf(chance, tongue, { most: 8, rates: 2, taxFree: false })
  const sheet = new Sheet(226, 560, tongue.mirrored)
  drawReceipt(sceneOf(chance, style, tongue, sheet, facts), slip)
  return {
    name: `receipt-${family}-${index}-${tongue.tag}`,
    family: `generated receipt ${family}`,
    flow: "receipt",
    kind: "receipt",
    language: tongue.tag,
    document: finished(sheet, chance, 0.6),
    truth: {
      merchantName: [facts.seller.name],
      date: [facts.date],
      totalAmount: [facts.total],
      ...(slip.symbol === "none" ? {} : { currency: [tongue.currency] })
    }
  }
}

const otherKinds = [
  "purchase-order",
  "order-confirmation",
  "delivery-note",
  "statement",
  "quote",
  "reminder",
  "payslip"
] as const

const otherOf = (family: number, index: number): GeneratedDocument => {
  const style = styleOf(chanceOf(`other family ${family}`))
  const chance = chanceOf(`other ${family} ${index}`)
  const tongue = chance.pick(tongues)
  const kind = otherKinds[family % otherKinds.length] ?? "quote"
  const facts = factsOf(chance, tongue, { most: 8, rates: 2, taxFree: false })
  const sheet = new Sheet(595, 842, tongue.mirrored)
  drawOther(sceneOf(chance, style, tongue, sheet, facts), kind)
  const empty = [
    "invoiceNumber",
    "invoiceDate",
    "dueDate",
    "vendorName",
    "subtotal",
    "taxAmount",
    "totalAmount"
  ]
  return {
    name: `${kind}-${family}-${index}-${tongue.tag}`,
    family: `generated other ${family}`,
    flow: "invoice",
    kind,
    language: tongue.tag,
    document: finished(sheet, chance, 0.25),
    truth: Object.fromEntries(empty.map((field) => [field, []]))
  }
}

/** How many families of each sort, and how many documents of each family. */
export interface Amount {
  readonly invoices: number
  readonly receipts: number
  readonly others: number
  readonly each: number
}

/** Generated documents to learn from; the same ones every time. Nothing is proved by them. */
export const generatedDocuments = ({
  each,
  invoices,
  others,
  receipts
}: Amount): ReadonlyArray<GeneratedDocument> => {
  const of = (families: number, make: (family: number, index: number) => GeneratedDocument) =>
    Array.from({ length: families }, (_, family) =>
      Array.from({ length: each }, (__, index) => make(family, index))
    ).flat()
  return [...of(invoices, invoiceOf), ...of(receipts, receiptOf), ...of(others, otherOf)]
}
