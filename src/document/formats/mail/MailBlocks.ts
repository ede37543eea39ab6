import type { Attachment } from "../../../domain/Attachment.ts"
import type { Block } from "../../layout/Blocks.ts"
import type { BlockDocument } from "../../layout/BlocksReader.ts"
import { type AttachedFiles, NotReadable } from "../FormatReader.ts"
import { htmlBlocks } from "../text/HtmlBlocks.ts"

/** A mail with thousands of parts is an attack; nobody needs the list. */
const mostListed = 100

/** A file in a mail. */
export interface MailFile {
  readonly name: string | null
  readonly mimeType: string
  readonly bytes: Uint8Array
  /** Shown within the text, such as a logo. */
  readonly isInline: boolean
}

/** A mail, in whatever format it was stored. Absent and empty headers are left out. */
export interface Mail {
  readonly subject?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly cc?: string | undefined
  readonly date?: string | undefined
  /** The text; if there is none, the HTML is used. */
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly files: ReadonlyArray<MailFile>
}

const line = (label: string, value: string | undefined): ReadonlyArray<Block> =>
  value === undefined || value === "" ? [] : [{ kind: "paragraph", text: `${label}: ${value}` }]

const described = ({ isInline, mimeType, name }: MailFile): Attachment => ({
  filename: name,
  mimeType,
  ...(isInline ? { inline: true } : {})
})

const attachedFiles = (files: ReadonlyArray<MailFile>): AttachedFiles => ({
  list: () => files.slice(0, mostListed).map(described),
  read: (index, most) => {
    const file = files[index]
    if (file === undefined) throw new NotReadable("It is missing.")
    const { bytes } = file
    return bytes.length > most ? { size: bytes.length } : { size: bytes.length, bytes }
  }
})

const bodyBlocks = ({ html, text }: Mail): ReadonlyArray<Block> =>
  text !== undefined && text.trim() !== ""
    ? text
        .replace(/\r\n?/gu, "\n")
        .split(/\n[ \t]*\n/u)
        .map((paragraph) => ({ kind: "paragraph", text: paragraph.trim() }))
    : htmlBlocks(html ?? "")

/** A mail as a document: its subject, headers and text on one page; its attachments are files inside. */
export const mailDocument = (mail: Mail): BlockDocument => {
  const subject = mail.subject?.trim() ?? ""
  const blocks: ReadonlyArray<Block> = [
    ...(subject === "" ? [] : [{ kind: "heading", level: 1, text: subject } as const]),
    ...line("From", mail.from),
    ...line("To", mail.to),
    ...line("Cc", mail.cc),
    ...line("Date", mail.date),
    ...bodyBlocks(mail),
    ...mail.files.map(({ bytes, mimeType, name }): Block => ({
      kind: "item",
      depth: 0,
      marker: "-",
      text: `Attachment: ${name ?? "unnamed"} (${mimeType}, ${bytes.length} bytes)`
    }))
  ]
  return { pages: [() => ({ blocks })], attached: attachedFiles(mail.files) }
}
