import { drawPdf, linesAt } from "../../test/document/DrawPdf.ts"

const sellers = [
  "Northwind Paper Ltd",
  "Weber Holz GmbH",
  "Atelier Moreau",
  "Contoso Retail Inc",
  "Bar Centrale"
]
const goods = ["Paper A4", "Oak board", "Toner", "Desk lamp", "Coffee beans", "Envelopes"]

/** An invoice or, each third time, a letter, of one short page. */
export const shortDocument = (index: number): Promise<Uint8Array> => {
  const seller = sellers[index % sellers.length]
  const lines = [`${seller}`, `${12 + index} Harbour Street, 20457 Hamburg`, ""]
  if (index % 3 === 2)
    return drawPdf([
      {
        texts: linesAt(60, 60, [
          ...lines,
          "Dear Ms Okafor,",
          "thank you for your visit in May.",
          "We will write again soon."
        ])
      }
    ])
  const rows = Array.from({ length: 1 + (index % 4) }, (_, row) => ({
    name: goods[(index + row) % goods.length],
    cents: 1999 + 731 * index + 1250 * row
  }))
  const total = rows.reduce((sum, { cents }) => sum + cents, 0)
  const table = rows.map(({ cents, name }) => `${name}          ${(cents / 100).toFixed(2)}`)
  const number = `Invoice number: R-${2026_000 + 37 * index}`
  return drawPdf([
    {
      texts: linesAt(60, 60, [
        ...lines,
        number,
        "",
        "Description          Amount",
        ...table,
        "",
        `Total EUR ${(total / 100).toFixed(2)}`
      ])
    }
  ])
}
