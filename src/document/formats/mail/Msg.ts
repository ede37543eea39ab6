import msgreader, { type FieldsData } from "@kenjiuno/msgreader"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { decodeText } from "../text/DecodeText.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { mailDocument, type MailFile } from "./MailBlocks.ts"

// The package is CommonJS: its default export is a property.
const OutlookMessage = msgreader.default

const addressText = (name: string | undefined, address: string | undefined): string | undefined => {
  if (address === undefined || address === name) return name
  return name === undefined ? address : `${name} <${address}>`
}

const receivers = ({ recipients = [] }: FieldsData, type: "to" | "cc"): string =>
  recipients
    .filter(({ recipType = "to" }) => recipType === type)
    .map(({ email, name, smtpAddress }) => addressText(name, smtpAddress ?? email) ?? "")
    .join(", ")

/** Outlook writes the time as `Mon, 16 Nov 2026 10:00:00 GMT`. */
const isoDate = (time: string | undefined): string | undefined => {
  const at = time === undefined ? NaN : Date.parse(time)
  return Number.isNaN(at) ? time : new Date(at).toISOString()
}

const fileOf = (message: InstanceType<typeof OutlookMessage>, file: FieldsData): MailFile => {
  const { content, fileName } = message.getAttachment(file)
  const type = file.innerMsgContent === true ? "application/vnd.ms-outlook" : file.attachMimeTag
  const mimeType = type ?? "application/octet-stream"
  return {
    name: fileName === "" ? null : fileName,
    mimeType,
    bytes: content,
    isInline: mimeType.startsWith("image/") && (file.pidContentId ?? "") !== ""
  }
}

/** Opens a message; the parser throws plain errors if the file is damaged. */
const open = (bytes: Uint8Array) => {
  const message = new OutlookMessage(new Uint8Array(bytes).buffer)
  const fields = message.getFileData()
  if (fields.error !== undefined || fields.dataType !== "msg") throw new Error("damaged")
  return { fields, files: (fields.attachments ?? []).map((file) => fileOf(message, file)) }
}

const read = (bytes: Uint8Array): BlockDocument => {
  try {
    const { fields, files } = open(bytes)
    return mailDocument({
      subject: fields.subject,
      from: addressText(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
      to: receivers(fields, "to"),
      cc: receivers(fields, "cc"),
      date: isoDate(fields.messageDeliveryTime ?? fields.clientSubmitTime),
      text: fields.body,
      html: fields.html === undefined ? fields.bodyHtml : decodeText(fields.html),
      files
    })
  } catch {
    throw new NotReadable("The Outlook message is damaged.")
  }
}

/** The reader for messages saved by Outlook (.msg): subject, sender, receivers, date and body; attachments are files inside. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
