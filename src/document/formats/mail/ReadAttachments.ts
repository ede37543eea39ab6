import { Effect } from "effect"
import type { Attachment } from "../../../domain/Attachment.ts"
import type { EmbeddedInvoice } from "../../../domain/EmbeddedInvoice.ts"
import { ask, type ReaderProcess } from "../../process/ReaderProcess.ts"
import { defined } from "../../../support/Defined.ts"

/** The maximum number of files, and of bytes, that are decompressed to find the invoice and to measure sizes. */
const mostFiles = 20
const mostBytes = 64 * 1024 * 1024

/** The names that the standards give the file. */
const invoiceName = /^(?:factur-x|zugferd-invoice|xrechnung|order-x)\.xml$/iu

/** Files that are certainly an invoice first, then other XML, then the rest. */
const rank = ({ filename, mimeType }: Attachment): number =>
  invoiceName.test(filename ?? "")
    ? 0
    : /\.xml$/iu.test(filename ?? "") || /\bxml\b/iu.test(mimeType ?? "")
      ? 1
      : 2

/** The files inside a document, as its `extras` describe them. */
export interface Attached {
  readonly attachments?: ReadonlyArray<Attachment>
  readonly invoice?: EmbeddedInvoice
}

const notRead = { problem: "It was not read: an earlier file took the reader too long or too much memory." }

/** Reads one file. A crash of the child becomes the file's problem. */
const readFile = (reader: ReaderProcess, index: number, limit: number) =>
  ask(reader, { ask: "attachment", index }, limit).pipe(
    Effect.catchTag("UnreadableDocument", (error) =>
      Effect.succeed({
        problem: reader.isAlive() ? error.message : "It takes too long or too much memory to be read."
      })
    )
  )

const list = (reader: ReaderProcess, limit: number) =>
  ask(reader, { ask: "attachments" }, limit).pipe(
    Effect.map(({ attachments }) => attachments),
    Effect.catchTag("UnreadableDocument", () => Effect.succeed([]))
  )

/**
 * Lists the files inside the document that is open in the child, and reads the electronic invoice among them. Never
 * fails: a file that cannot be read is listed with its problem, even if it crashes the child; check `isAlive`
 * afterwards. `limit` is milliseconds for each file. `known`: the files, if they have been listed already.
 */
export const readAttachments = Effect.fnUntraced(function* (
  reader: ReaderProcess,
  limit: number,
  known?: ReadonlyArray<Attachment>
) {
  const listed = known ?? (yield* list(reader, limit))
  if (listed.length === 0) return {} satisfies Attached
  const attachments: Array<Attachment> = [...listed]
  const order = [...attachments.entries()].toSorted(([, a], [, b]) => rank(a) - rank(b))
  let invoice: EmbeddedInvoice | undefined
  let bytes = 0
  for (const [index, attachment] of order.slice(0, mostFiles)) {
    if (bytes > mostBytes) break
    const read: { size?: number; invoice?: EmbeddedInvoice; problem?: string } = reader.isAlive()
      ? yield* readFile(reader, index, limit)
      : notRead
    const { size, problem } = read
    bytes += size ?? 0
    // Problems of files that do not look like an invoice are not reported.
    const tells =
      problem !== undefined && (rank(attachment) === 0 || size === undefined || rank(attachment) < 2)
    attachments[index] = {
      ...attachment,
      ...defined({ size }),
      ...(tells ? { problem } : {})
    }
    if (invoice === undefined && read.invoice !== undefined) {
      invoice = { ...read.invoice, attachment: attachment.filename ?? "" }
    }
  }
  return { attachments, ...defined({ invoice }) } satisfies Attached
})
