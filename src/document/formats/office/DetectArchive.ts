import { openArchive } from "./Zip.ts"
import { NotReadable } from "../FormatReader.ts"

/** Whether bytes begin like a ZIP archive. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The content types of an Office archive, the declared type of an OpenDocument file, or "" for other archives. */
export const officeContents = async (bytes: Uint8Array): Promise<string> => {
  const archive = await openArchive(bytes)
  const contents = (await archive.read("[Content_Types].xml")) ?? (await archive.read("mimetype"))
  return contents?.toString("utf8") ?? ""
}

const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const encrypted = Buffer.from("EncryptedPackage", "utf16le")

const isCompound = (bytes: Uint8Array): boolean => compound.equals(bytes.subarray(0, compound.length))

const messageProperties = Buffer.from("__properties_version1.0", "utf16le")

/** Whether bytes are a message that Outlook saved: a compound file with the properties of a message. */
export const isOutlookMessage = (bytes: Uint8Array): boolean =>
  isCompound(bytes) &&
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(messageProperties)

/** Refuses encrypted Office files, which are compound files around an unreadable archive. */
export const refuseEncrypted = (bytes: Uint8Array): void => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isCompound(bytes) && view.includes(encrypted)) {
    throw new NotReadable("The document is protected by a password.")
  }
}
