import type { Chance } from "./Chance.ts"
import { personOf } from "./Facts.ts"
import type { Scene } from "./InvoiceBlocks.ts"
import { labelOf, proseOf, strangersOf, titleOf, wordOf } from "./Tongues.ts"
import { writtenDate, writtenNumber } from "./Written.ts"

/** The choices that make a family of receipts. */
export interface Slip {
  readonly size: number
  readonly dateAt: "top" | "middle" | "bottom"
  readonly labelled: boolean
  readonly twoLines: boolean
  readonly subtotal: boolean
  readonly gross: boolean
  readonly paid: "cash" | "card" | "none"
  readonly summary: boolean
  readonly bigName: boolean
  readonly splitName: boolean
  readonly above: number
  /** The owner, or the company of the owner, in the line under the name of the shop. */
  readonly owner: boolean
  readonly symbol: "none" | "before" | "label" | "after"
  readonly repeated: boolean
  /** Rows with numbers that are no amounts: points, approvals. */
  readonly numbers: number
}

/** A family of receipts, by chance. */
export const slipOf = (chance: Chance): Slip => ({
  size: chance.pick([7, 8, 8, 9]),
  dateAt: chance.pick(["top", "middle", "bottom"]),
  labelled: chance.odds(0.5),
  twoLines: chance.odds(0.35),
  subtotal: chance.odds(0.5),
  gross: chance.odds(0.7),
  paid: chance.pick(["cash", "cash", "card", "none"]),
  summary: chance.odds(0.5),
  bigName: chance.odds(0.4),
  splitName: chance.odds(0.15),
  above: chance.odds(0.2) ? 1 : 0,
  symbol: chance.pick(["none", "none", "before", "label", "after"]),
  repeated: chance.odds(0.25),
  numbers: chance.whole(0, 3),
  owner: chance.odds(0.18)
})

const drawHead = (scene: Scene, slip: Slip): number => {
  const { chance, facts, sheet, tongue } = scene
  const middle = sheet.width / 2
  let y = 14
  const line = (text: string, size = slip.size) => {
    sheet.put(text, middle, y, { size, align: "center" })
    y += size * 1.4
  }
  if (slip.above > 0)
    line(chance.pick(["***", titleOf(chance, tongue, "receipt"), proseOf(chance, tongue, 2)]))
  const words = facts.seller.name.split(" ")
  const size = slip.bigName ? slip.size * 1.7 : slip.size
  if (slip.splitName && words.length > 2) {
    line(words.slice(0, 2).join(" "), size)
    line(words.slice(2).join(" "), size)
  } else line(facts.seller.name, size)
  if (slip.owner) {
    const form = chance.odds(0.6) ? ` ${wordOf(chance, tongue, "legalForms", "Ltd")}` : ""
    const before = chance.odds(0.5) ? `${wordOf(chance, tongue, "owners", "Prop.")} ` : ""
    line(`${before}${personOf(chance, tongue)}${form}`)
  }
  if (chance.odds(0.3)) line(`(${chance.digits(6)}-${chance.pick(["A", "X", "M"])})`)
  line(facts.seller.street)
  line(facts.seller.town)
  if (chance.odds(0.6)) line(`${wordOf(chance, tongue, "contacts", "Tel")} ${facts.seller.phone}`)
  if (chance.odds(0.5)) line(`${wordOf(chance, tongue, "taxes", "VAT")} ${facts.seller.taxId}`)
  if (chance.odds(0.4)) line(titleOf(chance, tongue, "receipt"))
  return y + 6
}

const drawDate = (
  { chance, datePattern, facts, margin, sheet, tongue }: Scene,
  slip: Slip,
  top: number
): number => {
  const date = writtenDate(facts.date, datePattern, tongue)
  const time = `${chance.digits(1)}${chance.whole(0, 9)}:${chance.whole(10, 59)}`
  const label = slip.labelled ? `${labelOf(chance, tongue, "receipt.date")}: ` : ""
  sheet.put(`${label}${date} ${time}`, margin, top, { size: slip.size })
  const strangers = chance.some(strangersOf(tongue, "invoice.number"), 0, 2)
  for (const [i, stranger] of strangers.entries())
    sheet.put(`${stranger}: ${chance.digits(6)}`, margin, top + (i + 1) * slip.size * 1.4, {
      size: slip.size
    })
  return top + (strangers.length + 1.5) * slip.size * 1.4
}

/** Draws a receipt. */
export const drawReceipt = (scene: Scene, slip: Slip): void => {
  const { amounts, chance, facts, margin, sheet, tongue } = scene
  const step = slip.size * 1.45
  const right = sheet.width - margin
  const written = (value: number) => writtenNumber(value, amounts)
  const sign = (value: number) =>
    slip.symbol === "before"
      ? `${tongue.sign}${written(value)}`
      : slip.symbol === "after"
        ? `${written(value)} ${tongue.sign}`
        : written(value)
  let y = drawHead(scene, slip)
  const row = (label: string, value: string) => {
    sheet.put(label, margin, y, { size: slip.size })
    sheet.put(value, right, y, { size: slip.size, align: "right" })
    y += step
  }
  if (slip.dateAt === "top") y = drawDate(scene, slip, y)
  const share = facts.total / Math.max(1, facts.subtotal)
  for (const { amount, price, quantity, text } of facts.items) {
    if (slip.twoLines) {
      sheet.put(text, margin, y, { size: slip.size })
      y += step
      row(`${quantity} x ${written(price)}`, written(amount * (slip.gross ? share : 1)))
    } else row(`${quantity > 1 ? `${quantity} ` : ""}${text}`, written(amount * (slip.gross ? share : 1)))
  }
  y += step / 2
  if (slip.dateAt === "middle") y = drawDate(scene, slip, y)
  if (slip.subtotal) {
    row(labelOf(chance, tongue, "invoice.subtotal"), written(facts.subtotal))
    row(`${wordOf(chance, tongue, "taxes", "VAT")} ${facts.taxes[0]?.[0] ?? 0}%`, written(facts.tax))
  }
  const code = slip.symbol === "label" ? ` ${chance.odds(0.5) ? tongue.currency : tongue.sign}` : ""
  row(`${labelOf(chance, tongue, "receipt.totalAmount")}${code}`, sign(facts.total))
  if (slip.paid === "cash") {
    const cash = Math.ceil(facts.total / 10) * 10
    row(wordOf(chance, tongue, "cash", "Cash"), written(cash))
    row(wordOf(chance, tongue, "change", "Change"), written(cash - facts.total))
  } else if (slip.paid === "card") row(wordOf(chance, tongue, "card", "Card"), written(facts.total))
  y += step / 2
  if (slip.summary) {
    const tax = wordOf(chance, tongue, "taxes", "VAT")
    const columns = [margin + 50, margin + 110, right]
    const put = (texts: ReadonlyArray<string>) => {
      for (const [i, text] of texts.entries())
        sheet.put(text, columns[i] ?? right, y, { size: slip.size, align: "right" })
      y += step
    }
    put([`${tax}%`, labelOf(chance, tongue, "invoice.subtotal"), tax])
    for (const [rate, net, own] of facts.taxes) put([`${rate}%`, written(net), written(own)])
    if (slip.repeated)
      put([
        wordOf(chance, tongue, "taxes", "Total").slice(0, 10),
        written(facts.subtotal),
        written(facts.tax)
      ])
  }
  for (let i = 0; i < slip.numbers; i++) {
    const word = proseOf(chance, tongue, 2)
    row(
      chance.pick([`${word}:`, word, "Nr."]),
      chance.pick([
        chance.digits(6),
        `${chance.digits(1)},${chance.digits(3)}`,
        chance.digits(12),
        `${chance.digits(5)} ${chance.digits(2)}`
      ])
    )
  }
  if (slip.dateAt === "bottom") y = drawDate(scene, slip, y + step)
  sheet.put(proseOf(chance, tongue, 4), sheet.width / 2, y + step, { size: slip.size, align: "center" })
}
