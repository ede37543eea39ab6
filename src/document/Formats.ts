import type { FormatReader } from "./FormatReader.ts"

/** A format that can be read, and where its reader is. Loading is left to the child that needs it. */
export interface Format {
  readonly mimeType: string
  /** Other names that callers use for the same type. */
  readonly aliases: ReadonlyArray<string>
  /** Whether the bytes begin like this format. */
  readonly matches: (bytes: Uint8Array) => boolean
  readonly load: () => Promise<FormatReader>
}

const pdfMark = Buffer.from("%PDF-")

/** Every format that can be read; a new one is a reader in `formats/` and an entry here. */
export const formats: ReadonlyArray<Format> = [
  {
    mimeType: "application/pdf",
    aliases: ["application/x-pdf"],
    matches: (bytes) => pdfMark.equals(bytes.subarray(0, pdfMark.length)),
    load: async () => (await import("./formats/Pdf.ts")).load()
  }
]

/** The canonical name of a MIME type: lower case, without parameters, aliases resolved. */
export const canonicalType = (mimeType: string): string => {
  const bare = (mimeType.split(";")[0] ?? "").trim().toLowerCase()
  if (bare === "image/jpg") return "image/jpeg"
  return formats.find((format) => format.aliases.includes(bare))?.mimeType ?? bare
}

/** The MIME type that the bytes have, or undefined where nobody knows it. Names and declarations are not asked. */
export const detectType = async (bytes: Uint8Array): Promise<string | undefined> => {
  const known = formats.find((format) => format.matches(bytes))
  if (known !== undefined) return known.mimeType
  const { fileTypeFromBuffer } = await import("file-type")
  const sniffed = await fileTypeFromBuffer(bytes)
  if (sniffed !== undefined) return sniffed.mime
  // Some programs write a line or two before the PDF header; readers accept it within the first KiB.
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).includes(pdfMark)
    ? "application/pdf"
    : undefined
}
