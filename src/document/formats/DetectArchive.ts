import { openArchive } from "./Zip.ts"
import { NotReadable } from "./FormatReader.ts"

const office = "application/vnd.openxmlformats-officedocument"

/** The type of each Office format, by the main part that its list of contents names. */
const mainParts: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.document\.macroEnabled\.main/u,
    `${office}.wordprocessingml.document`
  ],
  [
    /spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.sheet\.macroEnabled\.main/u,
    `${office}.spreadsheetml.sheet`
  ],
  [/presentationml\.(?:presentation|slideshow|template)\.main\+xml/u, `${office}.presentationml.presentation`]
]

/** Whether bytes begin like a ZIP archive. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The Office type of an archive by its contents, or undefined where it is another archive. */
export const officeType = async (bytes: Uint8Array): Promise<string | undefined> => {
  const archive = await openArchive(bytes)
  const contents = (await archive.read("[Content_Types].xml"))?.toString("utf8") ?? ""
  return mainParts.find(([mark]) => mark.test(contents))?.[1]
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
