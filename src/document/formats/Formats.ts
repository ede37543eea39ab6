import { decodeText } from "./text/DecodeText.ts"
import { isXml, textType } from "./text/DetectText.ts"
import { type FormatReader, NotReadable } from "./FormatReader.ts"
import { pictureFormats } from "./images/PictureFormats.ts"
import { openArchive } from "./office/Zip.ts"

/** Whether bytes begin like a ZIP archive. */
const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The content types of an Office archive, the declared type of an OpenDocument file, or "" for other archives. */
const officeContents = async (bytes: Uint8Array): Promise<string> => {
  const archive = await openArchive(bytes)
  const contents = (await archive.read("[Content_Types].xml")) ?? (await archive.read("mimetype"))
  return contents?.toString("utf8") ?? ""
}

const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const encrypted = Buffer.from("EncryptedPackage", "utf16le")

const isCompound = (bytes: Uint8Array): boolean => compound.equals(bytes.subarray(0, compound.length))

const messageProperties = Buffer.from("__properties_version1.0", "utf16le")

/** Whether bytes are a message that Outlook saved: a compound file with the properties of a message. */
const isOutlookMessage = (bytes: Uint8Array): boolean =>
  isCompound(bytes) &&
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(messageProperties)

/** Refuses encrypted Office files, which are compound files around an unreadable archive. */
const refuseEncrypted = (bytes: Uint8Array): void => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isCompound(bytes) && view.includes(encrypted)) {
    throw new NotReadable("The document is protected by a password.")
  }
}

/** A supported format, and how to load its reader, which only a child that needs it does. */
export interface Format {
  readonly mimeType: string
  /** Other names that callers use for the same type. */
  readonly aliases: ReadonlyArray<string>
  /** Whether the bytes begin like this format; archives and text are examined instead. */
  readonly matches?: (bytes: Uint8Array) => boolean
  /** The main part of an Office archive of this format, as its `[Content_Types].xml` names it. */
  readonly mainPart?: RegExp
  readonly load: () => Promise<FormatReader>
}

const pdfMark = Buffer.from("%PDF-")
const rtfMark = Buffer.from("{\\rtf")
const office = "application/vnd.openxmlformats-officedocument"

/** Every supported format; to add one, write a reader in `formats/` and add an entry here. */
export const formats: ReadonlyArray<Format> = [
  {
    mimeType: "application/pdf",
    aliases: ["application/x-pdf"],
    matches: (bytes) => pdfMark.equals(bytes.subarray(0, pdfMark.length)),
    load: async () => (await import("./pdf/Pdf.ts")).load()
  },
  ...pictureFormats,
  {
    mimeType: `${office}.wordprocessingml.document`,
    aliases: [`${office}.wordprocessingml.template`, "application/vnd.ms-word.document.macroenabled.12"],
    mainPart: /wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.document\.macroEnabled\.main/u,
    load: async () => (await import("./office/Docx.ts")).load()
  },
  {
    mimeType: `${office}.spreadsheetml.sheet`,
    aliases: [`${office}.spreadsheetml.template`, "application/vnd.ms-excel.sheet.macroenabled.12"],
    mainPart: /spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.sheet\.macroEnabled\.main/u,
    load: async () => (await import("./office/Xlsx.ts")).load()
  },
  {
    mimeType: `${office}.presentationml.presentation`,
    aliases: [`${office}.presentationml.slideshow`, `${office}.presentationml.template`],
    mainPart: /presentationml\.(?:presentation|slideshow|template)\.main\+xml/u,
    load: async () => (await import("./office/Pptx.ts")).load()
  },
  {
    mimeType: "application/vnd.oasis.opendocument.text",
    aliases: ["application/vnd.oasis.opendocument.text-template"],
    mainPart: /^application\/vnd\.oasis\.opendocument\.text(?:-template)?\s*$/u,
    load: async () => (await import("./office/Odt.ts")).load()
  },
  {
    mimeType: "application/rtf",
    aliases: ["text/rtf", "application/x-rtf"],
    matches: (bytes) => rtfMark.equals(bytes.subarray(0, rtfMark.length)),
    load: async () => (await import("./office/Rtf.ts")).load()
  },
  {
    mimeType: "text/html",
    aliases: ["application/xhtml+xml"],
    load: async () => (await import("./text/Html.ts")).load()
  },
  {
    mimeType: "application/xml",
    aliases: ["text/xml"],
    load: async () => (await import("./e-invoices/Invoice.ts")).load()
  },
  {
    mimeType: "message/rfc822",
    aliases: ["application/eml", "text/eml"],
    load: async () => (await import("./mail/Eml.ts")).load()
  },
  {
    mimeType: "application/vnd.ms-outlook",
    aliases: ["application/x-msg"],
    matches: isOutlookMessage,
    load: async () => (await import("./mail/Msg.ts")).load()
  },
  {
    mimeType: "text/csv",
    aliases: ["application/csv", "text/tab-separated-values", "text/comma-separated-values"],
    load: async () => (await import("./text/Csv.ts")).load()
  },
  {
    mimeType: "text/markdown",
    aliases: ["text/x-markdown"],
    load: async () => (await import("./text/MarkdownText.ts")).load()
  },
  {
    mimeType: "text/plain",
    aliases: [],
    load: async () => (await import("./text/PlainText.ts")).load()
  }
]

/** The canonical name of a MIME type: lower case, without parameters, aliases resolved. */
export const canonicalType = (mimeType: string): string => {
  const bare = (mimeType.split(";")[0] ?? "").trim().toLowerCase()
  return formats.find((format) => format.aliases.includes(bare))?.mimeType ?? bare
}

/** What to do about unsupported formats, by MIME type. */
const instead: ReadonlyMap<string, string> = new Map([
  [
    "application/x-cfb",
    "Old Office files (.doc, .xls, .ppt) cannot be read. Save the document as .docx, .xlsx, .pptx or PDF."
  ],
  [
    "application/vnd.oasis.opendocument.spreadsheet",
    "OpenDocument spreadsheets cannot be read. Save the document as .xlsx or PDF."
  ]
])

/** The message about a document of an unsupported type. */
export const cannotRead = (mimeType: string): string =>
  instead.get(mimeType) ?? `Documents of type ${mimeType} cannot be read.`

/** Text formats that must not be read as plain text. */
const written = /^\s*(?:%!PS|<svg|<\?xml)/u

/** Some programs write a line or two before the PDF header; readers accept it within the first KiB. */
const holdsPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).includes(pdfMark)

/**
 * Detects the MIME type of bytes; undefined if it is unknown. File names are ignored; the declared type only decides
 * between kinds of text that are possible.
 */
export const detectType = async (bytes: Uint8Array, declared?: string): Promise<string | undefined> => {
  const known = formats.find((format) => format.matches?.(bytes) ?? false)
  if (known !== undefined) return known.mimeType
  refuseEncrypted(bytes)
  if (isArchive(bytes)) {
    const contents = await officeContents(bytes)
    const inside = formats.find(({ mainPart }) => mainPart?.test(contents) ?? false)
    if (inside !== undefined) return inside.mimeType
  }
  const text = isArchive(bytes) || holdsPdf(bytes) ? undefined : decodeText(bytes)
  if (text !== undefined) {
    const as = declared === undefined ? undefined : canonicalType(declared)
    if (isXml(text, as)) return "application/xml"
    const type = textType(text, as)
    if (type === "text/html" || !written.test(text)) return type
  }
  const { fileTypeFromBuffer } = await import("file-type")
  const sniffed = await fileTypeFromBuffer(bytes)
  if (sniffed !== undefined) return sniffed.mime
  return holdsPdf(bytes) ? "application/pdf" : undefined
}
