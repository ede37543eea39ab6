import { drawItems, drawSums } from "./Amounts.ts"
import { drawMeta, drawParties, drawSeller, printed, type Scene } from "./InvoiceBlocks.ts"
import { inventedWord } from "./Facts.ts"
import { labelOf, proseOf, titleOf } from "./Tongues.ts"
import { writtenDate } from "./Written.ts"

const kinds = ["invoice", "invoice", "invoice", "proforma"] as const

/** The title, with the number or number and date where the family has them there; returns how far down it goes. */
const drawTitle = (scene: Scene, top: number, title: string): number => {
  const { chance, datePattern, facts, margin, sheet, style, tongue } = scene
  if (style.titleAt === "none") return top
  const size = style.titleSize
  const date = writtenDate(facts.date, datePattern, tongue)
  const name = style.capitals ? title.toLocaleUpperCase() : title
  const sign = chance.pick(["", "Nr. ", "No. ", "# ", "N° "])
  if (style.titleAt === "numbered" || style.titleAt === "sentence") {
    const joins: Readonly<Record<string, string>> = {
      de: "vom",
      fr: "du",
      it: "del",
      es: "de",
      nl: "van",
      pt: "de",
      pl: "z dnia",
      cs: "ze dne",
      da: "af",
      en: "of"
    }
    const ending = style.titleAt === "sentence" ? ` ${joins[tongue.tag] ?? "-"} ${date}` : ""
    sheet.put(`${name} ${sign}${facts.number}${ending}`, margin, top, { size: Math.min(16, size) })
  } else {
    const x =
      style.titleAt === "left" ? margin : style.titleAt === "right" ? sheet.width - margin : sheet.width / 2
    sheet.put(name, x, top, { size, align: style.titleAt })
  }
  return top + size * 1.6
}

const drawEnd = (scene: Scene, top: number): void => {
  const { chance, datePattern, facts, margin, sheet, style, tongue } = scene
  const size = style.size - 1
  let y = top + 12
  if (style.dueIn === "sentence" || style.dueIn === "payment") {
    const due = writtenDate(facts.due, datePattern, tongue)
    const label = labelOf(chance, tongue, "invoice.dueDate")
    sheet.put(
      style.dueIn === "sentence" ? `${proseOf(chance, tongue, 4)} ${label} ${due}` : `${label}: ${due}`,
      margin,
      y,
      { size }
    )
    y += 16
  }
  if (style.prose) {
    for (let i = 0; i < 2; i++) {
      sheet.put(proseOf(chance, tongue, 9), margin, y, { size })
      y += size * 1.4
    }
    y += 8
  }
  if (style.others === "capital")
    sheet.put(
      `${inventedWord(chance, tongue)} ${chance.whole(1, 90) * 1000}${scene.amounts.decimal}00 ${tongue.sign}`,
      margin,
      sheet.height - 30,
      { size: 7 }
    )
  const bank = `IBAN ${tongue.country}${chance.digits(2)} ${chance.digits(4)} ${chance.digits(4)} ${chance.digits(4)} ${chance.digits(2)}`
  if (style.bank) sheet.put(bank, margin, y, { size })
  const { mail, name, phone, street, taxId, town } = facts.seller
  if (style.brand && chance.odds(0.5)) {
    const end = `${labelOf(chance, tongue, "invoice.vendorVatId")} ${taxId}`
    const parts = [name, `${street}, ${town}`, phone, end]
    sheet.put(parts.join(chance.pick([" · ", ". ", " | ", " - "])), margin, sheet.height - 40, { size: 7 })
    return
  }
  if (!style.footer && !style.brand && style.sellerAt !== "footer") return
  for (const [i, column] of [
    [name, street, town],
    [phone, mail],
    [taxId, bank.slice(0, 14)]
  ].entries())
    for (const [row, text] of column.entries())
      sheet.put(text, margin + i * 170, sheet.height - 60 + row * 9, { size: 7 })
}

/** Stamps and notes that belong to nothing. */
const drawNoise = ({ chance, sheet, style, tongue }: Scene): void => {
  for (let i = 0; i < style.noise; i++) {
    const text = chance.pick([
      `${inventedWord(chance, tongue)} ${chance.digits(4)}`,
      `${chance.digits(2)}.${chance.digits(2)}.20${chance.digits(2)}`,
      "1/1",
      chance.digits(9)
    ])
    sheet.put(text, chance.whole(20, sheet.width - 120), chance.whole(10, sheet.height - 30), {
      size: chance.whole(6, 13)
    })
  }
}

/** Draws an invoice; the order of its blocks is the family's. */
export const drawInvoice = (scene: Scene): void => {
  const { chance, style, tongue } = scene
  const title = titleOf(chance, tongue, style.credit ? "credit-note" : chance.pick(kinds))
  const seller = drawSeller(scene, 36)
  const titleFirst = style.titleAt === "right" && style.sellerAt === "left"
  let y = titleFirst ? Math.max(seller, drawTitle(scene, 36, title)) : seller
  const sideways =
    style.metaAt === "right" &&
    style.buyerAt !== "right" &&
    style.buyerAt !== "pair" &&
    style.sellerAt !== "labelled" &&
    !["above", "grid", "sentence"].includes(style.meta)
  if (sideways) {
    y = Math.max(drawParties(scene, y), drawMeta(scene, y))
    if (!titleFirst) y = drawTitle(scene, y, title)
  } else {
    y = drawParties(scene, y)
    if (!titleFirst) y = drawTitle(scene, y, title)
    y = drawMeta(scene, y + 4)
  }
  if (style.prose && chance.odds(0.5)) {
    scene.sheet.put(proseOf(chance, tongue, 8), scene.margin, y, { size: style.size })
    y += 20
  }
  y = drawItems(scene, y + 8)
  drawEnd(scene, drawSums(scene, y))
  drawNoise(scene)
  if (style.currencyIn === "meta" || chance.odds(0.1))
    scene.sheet.put(printed(scene, tongue.country), scene.sheet.width - 60, 12, { size: 6 })
}
