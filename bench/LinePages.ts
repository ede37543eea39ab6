import { randomOf, type Random } from "../test/fixtures/varied/Random.ts"
import { type LineFamily, lineFamilies } from "./LineFamilies.ts"
import { words } from "./LineWords.ts"

/** One line of an invoice as the flow must return it. */
export interface Line {
  readonly code: string
  readonly description: string
  readonly quantity: number
  readonly unitPrice: number
  readonly amount: number
}

/** An invoice as HTML, and its lines. */
export interface LinePage {
  readonly name: string
  readonly family: LineFamily
  readonly html: string
  readonly lines: ReadonlyArray<Line>
}

const nouns =
  "Bracket Valve Cable Panel Filter Sensor Bearing Gasket Pump Hinge Motor Switch Frame Nozzle Relay Battery Lamp Ladder Carpet Monitor Keyboard Printer Desk Drawer".split(
    " "
  )
const kinds =
  "steel brass compact wireless industrial folding adjustable heavy-duty stainless insulated double rapid".split(
    " "
  )
const tails = [
  "with mounting kit and spare screws",
  "for outdoor use, weather proof",
  "delivered to the second floor including installation",
  "type B, tested and certified",
  "colour grey, matt finish, 3 years of warranty",
  "replacement for model 2400",
  "service period 01.03.2024 - 31.03.2024",
  "as agreed by telephone on Monday"
]

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** A number as the family prints it. */
const printed = (value: number, { decimal, group }: LineFamily, decimals = 2): string => {
  const [whole = "", fraction] = Math.abs(value).toFixed(decimals).split(".")
  const grouped = whole.replace(/(?=(?:\d{3})+$)(?!^)/gu, group)
  return `${value < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : decimal + fraction}`
}

const money = (value: number, family: LineFamily): string =>
  family.sign === "before"
    ? `${family.currency}${printed(value, family)}`
    : family.sign === "after"
      ? `${printed(value, family)} ${family.currency}`
      : printed(value, family)

const makeLine = (random: Random, family: LineFamily): Line & { readonly parts: ReadonlyArray<string> } => {
  const first = `${random.pick(nouns)} ${random.pick(kinds)} ${random.whole(10, 990)}`
  const more = family.parts === "one" ? 0 : family.parts === "mixed" ? random.whole(0, 2) : random.whole(1, 2)
  const parts = [first, ...Array.from({ length: more }, () => random.pick(tails))]
  const quantity = family.fractions ? random.whole(1, 40) / 4 : random.whole(1, 24)
  const unitPrice = random.whole(150, 90000) / 100
  const amount = Math.round(quantity * unitPrice * 100) / 100
  const code = `${random.pick(["AB", "K", "XR", "10"])}-${random.digits(4)}${random.pick(["", "-B", "/2"])}`
  return {
    code: family.codes === "digits" ? random.digits(13) : code,
    description: parts.join(" "),
    quantity,
    unitPrice,
    amount,
    parts
  }
}

const cell = (
  column: string,
  line: ReturnType<typeof makeLine>,
  index: number,
  family: LineFamily
): string => {
  switch (column) {
    case "pos":
      return String(index + 1)
    case "code":
      return line.code
    case "description":
      return line.parts
        .map((part, i) => (i === 0 ? escape(part) : `<div class="more">${escape(part)}</div>`))
        .join("")
    case "quantity":
      return (
        printed(line.quantity, family, family.fractions ? 2 : 0) +
        (family.unitInQuantity ? ` ${family.unit}` : "")
      )
    case "unit":
      return family.unit
    case "unitPrice":
      return money(line.unitPrice, family)
    case "tax":
      return "19 %"
    case "amount":
      return money(line.amount, family)
    default:
      return ""
  }
}

const left = new Set(["code", "description", "unit"])

const style = (family: LineFamily): string => `
  @page { size: A4; margin: 15mm 15mm 18mm 18mm }
  body { font: ${family.size}pt ${family.font} }
  table.items { width: 100%; border-collapse: collapse; margin: 6mm 0 }
  .items td, .items th { padding: ${family.padding}; vertical-align: ${family.valign}; text-align: ${family.align} }
  .items th { vertical-align: bottom; font-weight: ${family.bold ? "bold" : "normal"} }
  .items td.left, .items th.left { text-align: left }
  .items td.narrow, .items th.narrow { white-space: nowrap; width: 1% }
  .more { ${family.small ? "font-size: 80%; color: #555" : ""} }
  ${family.border === "grid" ? ".items td, .items th { border: 0.6pt solid #000 }" : ""}
  ${family.border === "rows" ? ".items tr { border-bottom: 0.5pt solid #999 }" : ""}
  ${family.border === "columns" ? ".items td, .items th { border-left: 0.5pt solid #000; border-right: 0.5pt solid #000 } .items thead th { border: 0.5pt solid #000 } .items tbody tr:last-child td { border-bottom: 0.5pt solid #000 }" : ""}
  ${family.border === "zebra" ? ".items tbody tr:nth-child(odd) { background: #eee }" : ""}
  thead { display: ${family.repeated ? "table-header-group" : "table-row-group"} }
  tr { break-inside: avoid }
  .totals { margin-left: auto } .totals td { padding: 1pt 0 1pt 14pt; text-align: right }
  .party { float: left; width: 50% }`

const rowsOf = (family: LineFamily, lines: ReadonlyArray<ReturnType<typeof makeLine>>): string => {
  const w = words[family.language]
  const { columns } = family
  return lines
    .map((line, i) => {
      const cells = columns
        .map((column) => {
          const classes = `${left.has(column) ? "left" : ""} ${column === "description" ? "" : "narrow"}`
          return `<td class="${classes}">${cell(column, line, i, family)}</td>`
        })
        .join("")
      const group =
        family.groups && i % 4 === 0
          ? `<tr><td class="left" colspan="${columns.length}"><b>${w.group} ${i / 4 + 1}</b></td></tr>`
          : ""
      const note =
        family.notes && i % 3 === 1
          ? `<tr><td></td><td class="left" colspan="${columns.length - 1}"><i>${w.note}</i></td></tr>`
          : ""
      return `${group}<tr>${cells}</tr>${note}`
    })
    .join("\n")
}

const headOf = (family: LineFamily, random: Random): string => {
  const w = words[family.language]
  const named = family.columns.map((column) => {
    const text =
      column === "code"
        ? family.codeHeading
        : random.pick(w.heads[column].filter((text) => text !== family.codeHeading))
    const shown = family.upper ? text.toUpperCase() : text
    const classes = `${left.has(column) ? "left" : ""} ${column === "description" ? "" : "narrow"}`
    return `<th class="${classes}">${family.twoLines ? shown.replace(" ", "<br>") : shown}</th>`
  })
  return `<thead><tr>${named.join("")}</tr></thead>`
}

const makePage = (family: LineFamily, seed: number): LinePage => {
  const name = `${family.name}-${seed}`
  const random = randomOf(`lines ${name}`)
  const w = words[family.language]
  const lines = Array.from({ length: family.count ?? random.whole(2, 9) }, () => makeLine(random, family))
  const subtotal = Math.round(lines.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100
  const tax = Math.round(subtotal * 19) / 100
  const html = `<!doctype html><meta charset="utf-8"><style>${style(family)}</style>
    <div class="party"><b>Nordwind Handels GmbH</b><br>Hafenweg 12<br>20457 Hamburg</div>
    <div class="party">${w.invoice} 2024-${random.digits(4)}<br>${w.date}: 14.03.2024<br>${w.customer}: ${random.digits(5)}</div>
    <div style="clear:both;padding-top:8mm">Lumen Studio Ltd.<br>4 Mill Lane<br>Leeds LS1 4AP</div>
    <p>${w.thanks}</p>
    <table class="items">${family.headings === false ? "" : headOf(family, random)}<tbody>${rowsOf(family, lines)}</tbody></table>
    <table class="totals"><tr><td>${w.subtotal}</td><td>${money(subtotal, family)}</td></tr>
    <tr><td>${w.tax} 19 %</td><td>${money(tax, family)}</td></tr>
    <tr><td><b>${w.total}</b></td><td><b>${money(subtotal + tax, family)}</b></td></tr></table>
    <p style="margin-top:10mm">${w.footer}</p>`
  return { name, family, html, lines }
}

/** The invoices of every family, some to a family. */
export const linePages = (seeds: number): ReadonlyArray<LinePage> =>
  lineFamilies.flatMap((family) =>
    Array.from({ length: family.count === undefined ? seeds : 1 }, (_, i) => makePage(family, i + 1))
  )
