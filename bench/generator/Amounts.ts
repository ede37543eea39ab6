import { money, printed, type Scene } from "./InvoiceBlocks.ts"
import { inventedWord } from "./Facts.ts"
import { labelOf, wordOf } from "./Tongues.ts"
import { writtenDate, writtenNumber } from "./Written.ts"

const shares: Readonly<Record<string, number>> = {
  position: 0.5,
  code: 1,
  text: 3.4,
  quantity: 0.9,
  price: 1.2,
  rate: 0.8,
  amount: 1.3
}

/** The right edge of each column; `text` and `code` are set from the left of theirs. */
const edges = ({ margin, sheet, style }: Scene): ReadonlyArray<readonly [string, number, number]> => {
  const whole = style.columns.reduce((sum, name) => sum + (shares[name] ?? 1), 0)
  let at = margin
  return style.columns.map((name) => {
    const from = at
    at += ((shares[name] ?? 1) / whole) * (sheet.width - 2 * margin)
    return [name, from, at - 6] as const
  })
}

const headingOf = ({ chance, tongue }: Scene, column: string): string => {
  switch (column) {
    case "text":
      return labelOf(chance, tongue, "invoice.lineItems.description")
    case "quantity":
      return labelOf(chance, tongue, "invoice.lineItems.quantity")
    case "price":
      return labelOf(chance, tongue, "invoice.lineItems.unitPrice")
    case "amount":
      return labelOf(chance, tongue, "invoice.lineItems.amount")
    case "rate":
      return `${wordOf(chance, tongue, "taxes", "VAT")} %`
    default:
      return chance.pick(["Pos", "#", "Ref", "Art"])
  }
}

/** The table of items; returns how far down it goes. */
export const drawItems = (scene: Scene, top: number): number => {
  const { amounts, chance, facts, sheet, style } = scene
  const step = style.size * style.rowHeight
  const cells = edges(scene)
  let y = top
  const put = (text: string, [name, from, to]: readonly [string, number, number]) =>
    name === "text" || name === "code" || name === "position"
      ? sheet.put(text, from, y, { size: style.size })
      : sheet.put(text, to, y, { size: style.size, align: "right" })
  if (style.headings) {
    for (const cell of cells) put(headingOf(scene, cell[0]), cell)
    y += step * 1.2
  }
  for (const [i, { amount, price, quantity, rate, text }] of facts.items.entries()) {
    const written: Readonly<Record<string, string>> = {
      position: String(i + 1),
      code: `${chance.pick(["A", "K", "P"])}${chance.digits(4)}`,
      text,
      quantity: Number.isInteger(quantity)
        ? String(quantity)
        : writtenNumber(quantity, { ...amounts, decimals: 2 }),
      price:
        style.currencyIn === "before" || style.currencyIn === "after"
          ? money(scene, price)
          : writtenNumber(price, amounts),
      rate: `${rate} %`,
      amount:
        style.currencyIn === "before" || style.currencyIn === "after"
          ? money(scene, amount)
          : writtenNumber(amount, amounts)
    }
    for (const cell of cells) put(written[cell[0]] ?? "", cell)
    y += step
    if (chance.odds(0.12)) {
      const period = `${writtenDate(facts.due, scene.datePattern, scene.tongue)} – ${writtenDate(facts.date, scene.datePattern, scene.tongue)}`
      sheet.put(
        chance.odds(0.2) ? period : (facts.items[0]?.text ?? ""),
        cells.find(([name]) => name === "text")?.[1] ?? 0,
        y,
        {
          size: style.size - 1
        }
      )
      y += step
    }
  }
  return y + step
}

const sumsOf = (scene: Scene): ReadonlyArray<readonly [string, string]> => {
  const { chance, facts, style, tongue } = scene
  const inLabel = style.currencyIn === "label" ? ` ${chance.odds(0.5) ? tongue.currency : tongue.sign}` : ""
  const total = [
    `${labelOf(chance, tongue, "invoice.totalAmount")}${inLabel}`,
    money(scene, facts.total, true)
  ] as const
  if (style.taxFree) return [total]
  const tax = labelOf(chance, tongue, "invoice.taxAmount")
  const several = facts.taxes.length > 1 && style.breakdown === "none" && chance.odds(0.6)
  const taxes = several
    ? facts.taxes.map(([rate, , own]) => [`${tax} ${rate} %`, money(scene, own)] as const)
    : [
        [
          facts.taxes.length === 1 && chance.odds(0.5) ? `${tax} ${facts.taxes[0]?.[0]} %` : tax,
          money(scene, facts.tax)
        ] as const
      ]
  const sub = [labelOf(chance, tongue, "invoice.subtotal"), money(scene, facts.subtotal)] as const
  const { total: whole } = facts
  const decimals = scene.amounts.decimals
  const part = (least: number, most: number) =>
    Number((whole * (chance.whole(least * 100, most * 100) / 100)).toFixed(decimals))
  const word = () => [inventedWord(chance, tongue), inventedWord(chance, tongue)].join(" ")
  if (style.others === "gross") {
    const discount = part(0.03, 0.2)
    return [
      [labelOf(chance, tongue, "invoice.subtotal"), money(scene, whole + discount)],
      [wordOf(chance, tongue, "discount", "Discount"), `-${money(scene, discount)}`],
      total,
      ...taxes
    ]
  }
  const [before, paid] = [part(1.1, 4), part(0.1, 0.8)]
  const above: ReadonlyArray<readonly [string, string]> =
    style.others === "previous"
      ? [
          [word(), money(scene, before)],
          [word(), `-${money(scene, before)}`]
        ]
      : []
  const below: ReadonlyArray<readonly [string, string]> =
    style.others === "later"
      ? [[word(), money(scene, part(1.02, 1.1))]]
      : style.others === "deposit"
        ? [
            [word(), `-${money(scene, paid)}`],
            [word(), money(scene, Number((whole - paid).toFixed(decimals)))]
          ]
        : []
  const due = style.balance
    ? [[labelOf(chance, tongue, "invoice.amountDue"), money(scene, facts.total, true)] as const]
    : []
  return [...above, sub, ...taxes, total, ...due, ...below]
}

/** The tax of each rate with what is taxed, as a table of its own. */
const drawBreakdown = (scene: Scene, top: number): number => {
  const { amounts, chance, facts, margin, sheet, style, tongue } = scene
  const step = style.size * 1.5
  const columns = [margin + 40, margin + 120, margin + 190, margin + 260]
  const tax = wordOf(chance, tongue, "taxes", "VAT")
  const rows = [
    [
      `${tax} %`,
      labelOf(chance, tongue, "invoice.subtotal"),
      tax,
      labelOf(chance, tongue, "invoice.totalAmount")
    ],
    ...facts.taxes.map(([rate, net, own]) => [
      `${rate} %`,
      writtenNumber(net, amounts),
      writtenNumber(own, amounts),
      writtenNumber(net + own, amounts)
    ])
  ]
  if (chance.odds(0.4))
    rows.push(["", ...[facts.subtotal, facts.tax, facts.total].map((value) => writtenNumber(value, amounts))])
  for (const [r, row] of rows.entries())
    for (const [c, text] of row.slice(0, chance.odds(0.5) ? 4 : 3).entries())
      sheet.put(text, columns[c] ?? 0, top + r * step, { size: style.size - 1, align: "right" })
  return top + rows.length * step + 8
}

/** The sums, with the breakdown of the tax before or after them; returns how far down they go. */
export const drawSums = (scene: Scene, top: number): number => {
  const { margin, sheet, style } = scene
  const sums = sumsOf(scene)
  const step = style.size * style.rowHeight
  let y = style.breakdown === "before" ? drawBreakdown(scene, top) : top
  if (style.totals === "boxes") {
    const cell = (sheet.width - 2 * margin) / sums.length
    for (const [i, [label, value]] of sums.entries()) {
      sheet.put(label, margin + i * cell, y, { size: style.size - 1 })
      sheet.put(value, margin + i * cell, y + step, { size: style.size })
    }
    y += 2.5 * step
  } else
    for (const [label, value] of sums) {
      const right = style.totals === "left" ? margin + 230 : sheet.width - margin
      const labelAt = style.totals === "far" ? margin : style.totals === "left" ? margin : right - 190
      if (style.totals === "table")
        sheet.put(printed(scene, label), right - 90, y, { size: style.size, align: "right" })
      else sheet.put(printed(scene, label), labelAt, y, { size: style.size })
      sheet.put(value, right, y, { size: style.size, align: "right" })
      y += step
    }
  return style.breakdown === "after" ? drawBreakdown(scene, y + 8) : y + 8
}
