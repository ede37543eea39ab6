import type { DocumentKind } from "../../src/extraction/lexicon/DocumentKinds.ts"
import { drawItems, drawSums } from "./Amounts.ts"
import { drawParties, drawSeller, money, type Scene } from "./InvoiceBlocks.ts"
import { proseOf, strangersOf, titleOf, type Tongue } from "./Tongues.ts"
import { writtenDate } from "./Written.ts"

const phrasesOf = (tongue: Tongue, kind: DocumentKind): ReadonlyArray<string> =>
  tongue.language.kinds[kind]?.words ?? []

/** Pairs of labels of the document's own kind, some with its number, its day or an amount. */
const drawPairs = (scene: Scene, kind: DocumentKind, top: number): number => {
  const { chance, datePattern, facts, margin, sheet, style, tongue } = scene
  const labels = [
    ...chance.some(phrasesOf(tongue, kind), 2, 6),
    ...chance.some(strangersOf(tongue, "invoice.number"), 0, 2),
    ...chance.some(strangersOf(tongue, "invoice.date"), 0, 2)
  ]
  const step = style.size * style.rowHeight
  for (const [i, label] of labels.entries()) {
    const value = chance.pick([
      facts.number,
      writtenDate(facts.date, datePattern, tongue),
      writtenDate(facts.due, datePattern, tongue),
      chance.digits(6),
      money(scene, facts.total)
    ])
    const taken = sheet.put(`${label}${style.colon}`, margin, top + i * step, { size: style.size })
    sheet.put(
      value,
      margin + (style.meta === "rows" ? Math.max(160, taken + 8) : taken + 6),
      top + i * step,
      { size: style.size }
    )
  }
  return top + labels.length * step + 12
}

/** The postings of an account or the parts of a pay. */
const drawPostings = (scene: Scene, kind: DocumentKind, top: number): number => {
  const { chance, datePattern, facts, margin, sheet, style, tongue } = scene
  const phrases = phrasesOf(tongue, kind)
  let y = top
  for (const { amount, text } of facts.items) {
    const label = phrases.length > 0 && chance.odds(0.5) ? chance.pick(phrases) : text
    const date = kind === "statement" ? `${writtenDate(facts.date, datePattern, tongue)} ` : ""
    sheet.put(`${date}${label}`, margin, y, { size: style.size })
    sheet.put(money(scene, amount), sheet.width - margin, y, { size: style.size, align: "right" })
    y += style.size * 1.6
  }
  return y
}

/** Draws a document of another kind than an invoice, with blocks that invoices have too. */
export const drawOther = (scene: Scene, kind: DocumentKind): void => {
  const { chance, margin, sheet, style, tongue } = scene
  let y = drawParties(scene, drawSeller(scene, 36))
  sheet.put(titleOf(chance, tongue, kind), margin, y, { size: Math.max(12, style.titleSize) })
  y = drawPairs(scene, kind, y + style.titleSize * 1.8)
  const ofAccount = kind === "statement" || kind === "payslip" || kind === "reminder"
  if (ofAccount) y = drawPostings(scene, kind, y)
  else {
    y = drawItems(scene, y)
    if (kind !== "delivery-note") y = drawSums(scene, y)
  }
  for (const phrase of chance.some(phrasesOf(tongue, kind), 1, 4)) {
    sheet.put(`${proseOf(chance, tongue, 3)} ${phrase}`, margin, y + 8, { size: style.size })
    y += style.size * 1.5
  }
}
