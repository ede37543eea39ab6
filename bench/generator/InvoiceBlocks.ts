import type { Chance } from "./Chance.ts"
import { type Facts, type Party, personOf } from "./Facts.ts"
import type { Sheet } from "./Sheet.ts"
import type { Style } from "./Style.ts"
import { labelOf, strangersOf, type Tongue, wordOf } from "./Tongues.ts"
import { type AmountStyle, writtenDate, writtenNumber } from "./Written.ts"

/** Everything that the blocks of one document are drawn with. */
export interface Scene {
  readonly sheet: Sheet
  readonly chance: Chance
  readonly tongue: Tongue
  readonly style: Style
  readonly facts: Facts
  readonly datePattern: string
  readonly amounts: AmountStyle
  readonly margin: number
}

/** A label as the family prints it. */
export const printed = ({ style }: Scene, label: string): string =>
  `${style.capitals ? label.toLocaleUpperCase() : label}${style.colon === ":" && label.endsWith(":") ? "" : style.colon}`

/** An amount as the family prints it; with its currency where `sum` is set. */
export const money = ({ amounts, style, tongue }: Scene, value: number, sum = false): string => {
  const text = `${style.credit ? "-" : ""}${writtenNumber(value, amounts)}`
  switch (style.currencyIn) {
    case "before":
      return `${tongue.sign}${tongue.sign.length > 1 ? " " : ""}${text}`
    case "after":
      return `${text} ${tongue.sign}`
    case "code":
      return sum ? `${tongue.currency} ${text}` : text
    case "total":
      return sum ? `${text} ${tongue.currency}` : text
    default:
      return text
  }
}

const lines = (scene: Scene, party: Party): ReadonlyArray<string> => {
  const { chance, tongue } = scene
  const more = chance.some(
    [
      `${wordOf(chance, tongue, "contacts", "Tel.")} ${party.phone}`,
      party.mail,
      `${labelOf(chance, tongue, "invoice.vendorVatId")} ${party.taxId}`
    ],
    0,
    3
  )
  return [party.street, party.town, ...more]
}

/** The seller's block at the top; returns how far down it goes. */
export const drawSeller = (scene: Scene, top: number): number => {
  const { facts, margin, sheet, style } = scene
  if (style.sellerAt === "footer" || style.sellerAt === "labelled") return top
  const size = style.sellerSize
  const align = style.sellerAt
  const x = align === "left" ? margin : align === "right" ? sheet.width - margin : sheet.width / 2
  let y = top
  const all = facts.seller.name.split(" ")
  const words = style.brand ? all.slice(0, Math.max(1, all.length - 2)) : all
  const half = Math.ceil(words.length / 2)
  const names = style.wrapsSeller && words.length > 2 ? [words.slice(0, half), words.slice(half)] : [words]
  for (const name of names) {
    sheet.put(name.join(" "), x, y, { size, align })
    y += size * 1.3
  }
  if (style.slogan) {
    sheet.put(`${scene.chance.pick(facts.items).text}, ${facts.items[0]?.text ?? ""}`, x, y, {
      size: 8,
      align
    })
    y += 12
  }
  for (const line of lines(scene, facts.seller)) {
    sheet.put(line, x, y, { size: style.size, align })
    y += style.size * 1.4
  }
  return y + 10
}

const drawParty = (scene: Scene, party: Party, label: string | undefined, x: number, top: number): number => {
  const { chance, facts, sheet, style, tongue } = scene
  let y = top
  if (label !== undefined) {
    sheet.put(printed(scene, label), x, y, { size: style.size })
    y += style.size * 1.5
  }
  const isBuyer = party === facts.buyer
  const above = isBuyer && style.honorific ? [wordOf(chance, tongue, "honorifics", "Attn.")] : []
  const person = isBuyer && style.contactPerson ? [personOf(chance, tongue)] : []
  // Who writes says how to be reached; who is written to rarely is told so.
  const known = lines(scene, party).slice(0, isBuyer && !style.contactPerson ? 2 : undefined)
  for (const line of [...above, party.name, ...person, ...known]) {
    sheet.put(line, x, y, { size: style.size })
    y += style.size * 1.4
  }
  return y + 10
}

/** The block of the one who is invoiced, and of a seller that is labelled. */
export const drawParties = (scene: Scene, top: number): number => {
  const { chance, facts, margin, sheet, style, tongue } = scene
  const middle = sheet.width / 2 + 10
  const buyerLabel = labelOf(chance, tongue, "invoice.customerName")
  let y = top
  if (style.senderLine && style.sellerAt !== "labelled") {
    const { name, street, town } = facts.seller
    sheet.put([name, street, town].join(chance.pick([" · ", " - ", ", "])), margin, y, { size: 7 })
    y += 14
  }
  if (style.sellerAt === "labelled" || style.buyerAt === "pair") {
    const left = drawParty(scene, facts.seller, labelOf(chance, tongue, "invoice.vendorName"), margin, y)
    return Math.max(left, drawParty(scene, facts.buyer, buyerLabel, middle, y))
  }
  const label = style.buyerAt === "labelled" ? buyerLabel : undefined
  return drawParty(scene, facts.buyer, label, style.buyerAt === "right" ? middle : margin, y)
}

/** The pairs of the header: the invoice's own and those of other things, in a random order. */
const pairsOf = (scene: Scene): ReadonlyArray<readonly [string, string]> => {
  const { chance, datePattern, facts, style, tongue } = scene
  const date = (iso: string) => writtenDate(iso, datePattern, tongue)
  const other = (days: number) =>
    date(new Date(Date.parse(facts.date) + days * 86_400_000).toISOString().slice(0, 10))
  const numbers = chance
    .some(strangersOf(tongue, "invoice.number"), 0, style.strangers)
    .map(
      (label) =>
        [label, chance.odds(0.5) ? chance.digits(chance.whole(3, 8)) : `K-${chance.digits(5)}`] as const
    )
  const dates = chance
    .some(strangersOf(tongue, "invoice.date"), 0, Math.floor(style.strangers / 2))
    .map((label) => [label, other(chance.whole(-20, 25))] as const)
  const own: Array<readonly [string, string]> = [
    [labelOf(chance, tongue, "invoice.number"), facts.number],
    [labelOf(chance, tongue, "invoice.date"), date(facts.date)]
  ]
  if (style.dueIn === "meta") own.push([labelOf(chance, tongue, "invoice.dueDate"), date(facts.due)])
  if (style.currencyIn === "meta") own.push([labelOf(chance, tongue, "invoice.currency"), tongue.currency])
  const shown = style.titleAt === "numbered" || style.titleAt === "sentence" ? own.slice(1) : own
  const all = [...(style.titleAt === "sentence" ? shown.slice(1) : shown), ...numbers, ...dates]
  return chance.odds(0.5) ? all : chance.some(all, all.length, all.length)
}

/** The header's pairs; returns how far down they go. */
export const drawMeta = (scene: Scene, top: number): number => {
  const { margin, sheet, style } = scene
  const pairs = pairsOf(scene)
  const step = style.size * style.rowHeight
  const left = style.metaAt === "left" ? margin : sheet.width / 2 + 20
  const right = style.metaAt === "left" ? sheet.width / 2 - 20 : sheet.width - margin
  const size = style.size
  if (style.meta === "sentence") {
    sheet.put(
      pairs.map(([label, value]) => `${label} ${value}`).join(scene.chance.pick([", ", " · ", "  "])),
      margin,
      top,
      { size: 8 }
    )
    return top + 2 * step
  }
  if (style.meta === "above" || style.meta === "grid") {
    const perRow = style.meta === "above" ? 4 : 3
    const cell = (sheet.width - 2 * margin) / perRow
    for (const [i, [label, value]] of pairs.entries()) {
      const [x, y] = [margin + (i % perRow) * cell, top + Math.floor(i / perRow) * (step * 2 + 8)]
      sheet.put(printed(scene, label), x, y, { size: style.meta === "above" ? 7 : size })
      sheet.put(value, x, y + step, { size })
    }
    return top + Math.ceil(pairs.length / perRow) * (step * 2 + 8) + 8
  }
  for (const [i, [label, value]] of pairs.entries()) {
    const y = top + i * step
    const taken = sheet.put(printed(scene, label), left, y, { size })
    if (style.meta === "rows") sheet.put(value, Math.max(left + 110, left + taken + 8), y, { size })
    else if (style.meta === "colons") sheet.put(value, left + taken + 5, y, { size })
    else sheet.put(value, Math.max(right, left + taken + 90), y, { size, align: "right" })
  }
  return top + pairs.length * step + 10
}
