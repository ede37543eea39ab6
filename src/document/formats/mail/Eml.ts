import PostalMime, { type Address, type Attachment } from "postal-mime"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import type { FormatReader } from "../FormatReader.ts"
import { mailDocument, type MailFile } from "./MailBlocks.ts"

const addressText = (address: Address): string => {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(addressText).join(", ")}`
  return address.name === "" ? address.address : `${address.name} <${address.address}>`
}

/** Pictures that the text refers to, such as a logo. */
const isInline = ({ contentId, disposition, mimeType, related }: Attachment): boolean =>
  mimeType.startsWith("image/") && (related === true || (disposition === "inline" && contentId !== undefined))

const fileOf = (part: Attachment): MailFile => {
  const { content, filename, mimeType } = part
  return {
    name: filename ?? (mimeType === "message/rfc822" ? "mail.eml" : null),
    mimeType,
    bytes: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
    isInline: isInline(part)
  }
}

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const { attachments, cc, date, from, html, subject, text, to } = await PostalMime.parse(bytes, {
    maxNestingDepth: 20,
    maxHeadersSize: 1024 * 1024,
    forceRfc822Attachments: true
  })
  return mailDocument({
    subject,
    from: from === undefined ? undefined : addressText(from),
    to: to?.map(addressText).join(", "),
    cc: cc?.map(addressText).join(", "),
    date,
    text,
    html,
    files: attachments.map(fileOf)
  })
}

/** The reader for mails: subject, sender, receivers, date and body; attachments are files inside. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
