import type { EmbeddedInvoice, InvoiceLine, InvoiceTerm } from "../../../domain/EmbeddedInvoice.ts"
import type { Block } from "../../layout/Blocks.ts"

const titles = { invoice: "Invoice", "credit-note": "Credit Note", order: "Order" } as const

/** The terms to show, in this order. Amounts are shown with their currency. */
const groups: ReadonlyArray<ReadonlyArray<readonly [term: string, label: string]>> = [
  [
    ["BT-1", "$ Number"],
    ["BT-2", "$ Date"],
    ["BT-9", "Due Date"],
    ["BT-72", "Delivery Date"],
    ["BT-5", "Currency"],
    ["BT-25", "Preceding Invoice"],
    ["BT-13", "Purchase Order"],
    ["BT-14", "Sales Order"],
    ["BT-12", "Contract"],
    ["BT-11", "Project"],
    ["BT-10", "Buyer Reference"]
  ],
  [
    ["BT-27", "Seller"],
    ["BT-28", "Seller Trading Name"],
    ["BT-35", "Seller Street"],
    ["BT-38", "Seller Post Code"],
    ["BT-37", "Seller City"],
    ["BT-40", "Seller Country"],
    ["BT-31", "Seller VAT ID"],
    ["BT-32", "Seller Tax No"]
  ],
  [
    ["BT-44", "Buyer"],
    ["BT-50", "Buyer Street"],
    ["BT-53", "Buyer Post Code"],
    ["BT-52", "Buyer City"],
    ["BT-55", "Buyer Country"],
    ["BT-48", "Buyer VAT ID"]
  ],
  [["BT-22", "Note"]]
]

const sums: ReadonlyArray<readonly [term: string, label: string]> = [
  ["BT-106", "Sum of Lines"],
  ["BT-107", "Allowances"],
  ["BT-108", "Charges"],
  ["BT-109", "Total excl. VAT"],
  ["BT-110", "Total VAT"],
  ["BT-111", "VAT in Accounting Currency"],
  ["BT-112", "Total incl. VAT"],
  ["BT-113", "Paid"],
  ["BT-115", "Amount Due"]
]

const payment: ReadonlyArray<readonly [term: string, label: string]> = [
  ["BT-84", "IBAN"],
  ["BT-86", "BIC"],
  ["BT-83", "Payment Reference"],
  ["BT-20", "Payment Terms"]
]

/** The columns of the lines; one that is empty throughout is left out. */
const columns: ReadonlyArray<readonly [term: string, label: string]> = [
  ["BT-126", "Line"],
  ["BT-155", "Article No"],
  ["BT-153", "Description"],
  ["BT-129", "Quantity"],
  ["BT-130", "Unit Code"],
  ["BT-146", "Unit Price"],
  ["BT-152", "VAT %"],
  ["BT-131", "Amount"]
]

const valuesOf = (terms: ReadonlyArray<InvoiceTerm>, term: string): ReadonlyArray<string> =>
  terms.filter((found) => found.term === term).map(({ value }) => value)

const row = (line: InvoiceLine): ReadonlyArray<string> =>
  columns.map(([term]) => valuesOf(line.terms, term)[0] ?? "")

const table = (lines: ReadonlyArray<InvoiceLine>): ReadonlyArray<Block> => {
  const rows = [columns.map(([, label]) => label), ...lines.map(row)]
  const used = columns.map((_, i) => rows.slice(1).some((cells) => cells[i] !== ""))
  return lines.length === 0
    ? []
    : [{ kind: "table", rows: rows.map((cells) => cells.filter((_, i) => used[i])) }]
}

/** An electronic invoice as a page that a person can read. */
export const invoiceBlocks = (invoice: EmbeddedInvoice): ReadonlyArray<Block> => {
  const title = titles[invoice.kind]
  const currency = valuesOf(invoice.terms, "BT-5")[0] ?? ""
  const paragraphs = (
    rows: ReadonlyArray<readonly [string, string]>,
    behind: (term: InvoiceTerm) => string = () => ""
  ): ReadonlyArray<Block> =>
    rows.flatMap(([term, label]) =>
      invoice.terms
        .filter((found) => found.term === term)
        .map((found): Block => {
          const text = `${label.replace("$", title)}: ${found.value} ${behind(found)}`
          return { kind: "paragraph", text: text.trim() }
        })
    )
  return [
    { kind: "heading", level: 1, text: title },
    ...groups.flatMap((group) => paragraphs(group)),
    ...table(invoice.lines),
    ...paragraphs(sums, ({ qualifier }) => qualifier ?? currency),
    ...paragraphs(payment)
  ]
}
