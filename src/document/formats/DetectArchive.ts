import { openArchive } from "./Zip.ts"
import { NotReadable } from "./FormatReader.ts"

/** Whether bytes begin like a ZIP archive. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** What an Office archive says about its parts, or "" where it is another archive. */
export const officeContents = async (bytes: Uint8Array): Promise<string> => {
  const archive = await openArchive(bytes)
  return (await archive.read("[Content_Types].xml"))?.toString("utf8") ?? ""
}

const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const encrypted = Buffer.from("EncryptedPackage", "utf16le")

/** Refuses Office files that are encrypted: they are compound files around an unreadable archive. */
export const refuseEncrypted = (bytes: Uint8Array): void => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (compound.equals(view.subarray(0, compound.length)) && view.includes(encrypted)) {
    throw new NotReadable("The document is protected by a password.")
  }
}
