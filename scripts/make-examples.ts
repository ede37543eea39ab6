/** Writes the example documents: `examples/invoice.pdf` with what docflow must read from it, and `examples/receipt.pdf`. */
import { mkdir, writeFile } from "node:fs/promises"
import { exampleInvoice, makeInvoice } from "../test/fixtures/Invoices.ts"
import { makeReceipt } from "../test/fixtures/Receipts.ts"

const folder = new URL("../examples/", import.meta.url)
const { bytes, expected } = await makeInvoice(exampleInvoice)
await mkdir(folder, { recursive: true })
await writeFile(new URL("invoice.pdf", folder), bytes)
await writeFile(new URL("invoice.expected.json", folder), `${JSON.stringify(expected, null, 2)}\n`)
await writeFile(new URL("receipt.pdf", folder), (await makeReceipt()).bytes)
