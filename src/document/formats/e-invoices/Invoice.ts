import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import type { FormatReader } from "../FormatReader.ts"
import { invoiceBlocks } from "./InvoiceBlocks.ts"
import { readInvoice } from "./InvoiceXml.ts"

const read = (bytes: Uint8Array): BlockDocument => {
  const invoice = readInvoice(bytes)
  return { pages: [() => ({ blocks: invoiceBlocks(invoice) })], extras: { invoice } }
}

/** The reader for electronic invoices as XML: one page that a person can read, and the invoice's terms. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
