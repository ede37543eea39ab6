import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Docflow } from "../../src/index.ts"

const rows = `<table><tr><th>Description</th><th>Qty</th><th>Rate</th><th>Amount</th></tr>
<tr><td>Cedar fence</td><td>140</td><td>$38.00</td><td>$5,320.00</td></tr>
<tr><td>Walk gate</td><td>2</td><td>$365.00</td><td>$730.00</td></tr></table>`

const page = (head: string, total: string) =>
  new TextEncoder().encode(
    `<!doctype html><h2>Sagebrush Fence Ltd</h2>${head}${rows}<p>Subtotal ${total}</p><p>Tax (0%) $0.00</p><p>Total ${total}</p>`
  )
const invoice = "<h1>INVOICE</h1><p>Invoice number: 1188</p><p>Invoice date: 05/22/2025</p>"
const quote = "<h1>ESTIMATE</h1><p>Estimate # 1188</p><p>Valid until: 06/01/2025</p>"

let docflow: Docflow

beforeAll(() => {
  docflow = Docflow.open()
})
afterAll(() => docflow[Symbol.asyncDispose]())

/** The confidence of the table, and those of its cells. */
const confidences = async (bytes: Uint8Array) => {
  const { fields } = await docflow.run("flows/invoice/1.0.0.yaml", bytes)
  const table = fields["lineItems"]
  const cells = (table?.cells ?? []).flatMap((row) => Object.values(row).map(({ confidence }) => confidence))
  return { table: table?.confidence ?? 0, cells }
}

describe("cells of a table", () => {
  it("are sure where the table is", async () => {
    const { cells, table } = await confidences(page(invoice, "$6,050.00"))
    expect(table).toBeGreaterThanOrEqual(0.9)
    expect(cells).toEqual(Array.from({ length: 8 }, () => table))
  })

  it("are no surer than the table of a document of another kind", async () => {
    const { cells, table } = await confidences(page(quote, "$6,050.00"))
    expect(table).toBeLessThan(0.9)
    expect(cells).toHaveLength(8)
    expect(Math.max(...cells)).toBeLessThanOrEqual(table)
  })

  it("are no surer than a table whose sum does not hold", async () => {
    const { cells, table } = await confidences(page(invoice, "$9,990.00"))
    expect(table).toBeLessThanOrEqual(0.7)
    expect(cells).toHaveLength(8)
    expect(Math.max(...cells)).toBeLessThanOrEqual(table)
  })
})
