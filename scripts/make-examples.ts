/** Writes the example documents: `examples/invoice.pdf` and what docflow must read from it. */
import { mkdir, writeFile } from "node:fs/promises"
import { exampleInvoice, makeInvoice } from "../test/fixtures/Invoices.ts"

const folder = new URL("../examples/", import.meta.url)
const { bytes, expected } = await makeInvoice(exampleInvoice)
await mkdir(folder, { recursive: true })
await writeFile(new URL("invoice.pdf", folder), bytes)
await writeFile(new URL("invoice.expected.json", folder), `${JSON.stringify(expected, null, 2)}\n`)
