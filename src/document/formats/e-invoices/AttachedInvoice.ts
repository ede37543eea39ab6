import type { EmbeddedInvoice } from "../../../domain/EmbeddedInvoice.ts"
import { type AttachedFiles, NotReadable } from "../FormatReader.ts"
import { readInvoice } from "./InvoiceXml.ts"

/** Larger files are not examined. */
const mostBytes = 32 * 1024 * 1024

/** The result of reading a file inside a document. */
export interface AttachedInvoice {
  /** Bytes, as counted. */
  readonly size: number
  readonly invoice?: EmbeddedInvoice
  /** Why an XML file contains no invoice. */
  readonly problem?: string
}

/** Whether bytes begin like XML: `<` after an optional byte order mark and spaces. */
const isXml = (bytes: Uint8Array): boolean =>
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\s\0]*</u.test(
    Buffer.from(bytes.subarray(0, 256)).toString("latin1")
  )

/** A file inside a document. Runs in the child process; throws NotReadable if it is missing, damaged or too large. */
export const attachedFile = (files: AttachedFiles | undefined, index: number): Uint8Array => {
  if (files === undefined) throw new NotReadable("The document has no attachments.")
  const { bytes, size } = files.read(index, mostBytes)
  if (bytes !== undefined) return bytes
  throw new NotReadable(`The attachment has ${size} bytes; the limit is ${mostBytes}.`)
}

/** Reads a file inside a document, and the invoice that it holds. Runs in the child process. */
export const attachedInvoice = (files: AttachedFiles | undefined, index: number): AttachedInvoice => {
  if (files === undefined) throw new NotReadable("The document has no files inside.")
  const { size, bytes } = files.read(index, mostBytes)
  if (bytes === undefined) return { size, problem: `It has ${size} bytes; the limit is ${mostBytes}.` }
  if (!isXml(bytes)) return { size }
  try {
    return { size, invoice: readInvoice(bytes) }
  } catch (error) {
    if (error instanceof NotReadable) return { size, problem: error.message }
    throw error
  }
}
