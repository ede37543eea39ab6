import PostalMime, { type Address } from "postal-mime"
import type { Block } from "../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../layout/BlocksReader.ts"
import type { FormatReader } from "./FormatReader.ts"
import { htmlBlocks } from "./HtmlBlocks.ts"

const addressText = (address: Address): string => {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(addressText).join(", ")}`
  return address.name === "" ? address.address : `${address.name} <${address.address}>`
}

const line = (label: string, value: string | undefined): ReadonlyArray<Block> =>
  value === undefined || value === "" ? [] : [{ kind: "paragraph", text: `${label}: ${value}` }]

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 20, maxHeadersSize: 1024 * 1024 })
  const body: ReadonlyArray<Block> =
    mail.text !== undefined && mail.text.trim() !== ""
      ? mail.text
          .replace(/\r\n?/gu, "\n")
          .split(/\n[ \t]*\n/u)
          .map((text) => ({ kind: "paragraph", text: text.trim() }))
      : htmlBlocks(mail.html ?? "")
  const attachments = mail.attachments.map(({ content, filename, mimeType }) => ({
    filename,
    mimeType,
    size: typeof content === "string" ? Buffer.byteLength(content) : content.byteLength
  }))
  const subject = mail.subject?.trim() ?? ""
  const blocks: ReadonlyArray<Block> = [
    ...(subject === "" ? [] : [{ kind: "heading", level: 1, text: subject } as const]),
    ...line("From", mail.from === undefined ? undefined : addressText(mail.from)),
    ...line("To", mail.to?.map(addressText).join(", ")),
    ...line("Cc", mail.cc?.map(addressText).join(", ")),
    ...line("Date", mail.date),
    ...body,
    ...attachments.map(({ filename, mimeType, size }): Block => ({
      kind: "item",
      depth: 0,
      marker: "-",
      text: `Attachment: ${filename ?? "unnamed"} (${mimeType}, ${size} bytes)`
    }))
  ]
  return { pages: [() => ({ blocks })], extras: { attachments } }
}

/** The reader for mails: subject, sender, receivers, date and body; attachments are listed, not opened. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
