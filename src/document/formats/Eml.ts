import PostalMime, { type Address, type Attachment as MailPart } from "postal-mime"
import type { Attachment } from "../../domain/Attachment.ts"
import type { Block } from "../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../layout/BlocksReader.ts"
import { type AttachedFiles, type FormatReader, NotReadable } from "./FormatReader.ts"
import { htmlBlocks } from "./HtmlBlocks.ts"

const addressText = (address: Address): string => {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(addressText).join(", ")}`
  return address.name === "" ? address.address : `${address.name} <${address.address}>`
}

const line = (label: string, value: string | undefined): ReadonlyArray<Block> =>
  value === undefined || value === "" ? [] : [{ kind: "paragraph", text: `${label}: ${value}` }]

/** A mail with thousands of parts is an attack; nobody needs the list. */
const mostListed = 100

const bytesOf = ({ content }: MailPart): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : new Uint8Array(content)

/** A forwarded mail has its subject for a name. */
const nameOf = ({ filename, mimeType }: MailPart): string | null =>
  filename ?? (mimeType === "message/rfc822" ? "mail.eml" : null)

/** Pictures that the text refers to, such as a logo. */
const isInline = ({ contentId, disposition, mimeType, related }: MailPart): boolean =>
  mimeType.startsWith("image/") && (related === true || (disposition === "inline" && contentId !== undefined))

const described = (part: MailPart): Attachment => ({
  filename: nameOf(part),
  mimeType: part.mimeType,
  ...(isInline(part) ? { inline: true } : {})
})

const filesOf = (parts: ReadonlyArray<MailPart>): AttachedFiles => ({
  list: () => parts.slice(0, mostListed).map(described),
  read: (index, most) => {
    const part = parts[index]
    if (part === undefined) throw new NotReadable("It is missing.")
    const bytes = bytesOf(part)
    return bytes.length > most ? { size: bytes.length } : { size: bytes.length, bytes }
  }
})

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: 20,
    maxHeadersSize: 1024 * 1024,
    forceRfc822Attachments: true
  })
  const body: ReadonlyArray<Block> =
    mail.text !== undefined && mail.text.trim() !== ""
      ? mail.text
          .replace(/\r\n?/gu, "\n")
          .split(/\n[ \t]*\n/u)
          .map((text) => ({ kind: "paragraph", text: text.trim() }))
      : htmlBlocks(mail.html ?? "")
  const subject = mail.subject?.trim() ?? ""
  const blocks: ReadonlyArray<Block> = [
    ...(subject === "" ? [] : [{ kind: "heading", level: 1, text: subject } as const]),
    ...line("From", mail.from === undefined ? undefined : addressText(mail.from)),
    ...line("To", mail.to?.map(addressText).join(", ")),
    ...line("Cc", mail.cc?.map(addressText).join(", ")),
    ...line("Date", mail.date),
    ...body,
    ...mail.attachments.map((part): Block => ({
      kind: "item",
      depth: 0,
      marker: "-",
      text: `Attachment: ${nameOf(part) ?? "unnamed"} (${part.mimeType}, ${bytesOf(part).length} bytes)`
    }))
  ]
  return { pages: [() => ({ blocks })], attached: filesOf(mail.attachments) }
}

/** The reader for mails: subject, sender, receivers, date and body; attachments are files inside. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
