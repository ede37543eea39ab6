import type { Format } from "../Formats.ts"

const startsWith = (bytes: Uint8Array, mark: ReadonlyArray<number>, at = 0): boolean =>
  mark.every((byte, i) => bytes[at + i] === byte)

const ascii = (text: string): ReadonlyArray<number> => [...Buffer.from(text, "latin1")]

/** `BM` also begins many words; the size of the second header decides. */
const isBitmap = (bytes: Uint8Array): boolean =>
  startsWith(bytes, ascii("BM")) &&
  [12, 40, 52, 56, 64, 108, 124].includes(bytes[14] ?? 0) &&
  startsWith(bytes, [0, 0, 0], 15)

/** A HEIF file whose brands, major or compatible, say that it contains HEVC. */
const isHeic = (bytes: Uint8Array): boolean => {
  if (!startsWith(bytes, ascii("ftyp"), 4)) return false
  const size = Math.min(256, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0))
  const brands = Buffer.from(bytes.subarray(8, size)).toString("latin1")
  return /^(?:.{4})*?(?:heic|heix|heim|heis)/u.test(brands) && !brands.startsWith("avif")
}

const picture = async () => (await import("./Picture.ts")).load()

/** Pictures, each a page; in a TIFF, every picture is a page. */
export const pictureFormats: ReadonlyArray<Format> = [
  {
    mimeType: "image/png",
    aliases: ["image/x-png", "image/apng"],
    matches: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    load: picture
  },
  {
    mimeType: "image/jpeg",
    aliases: ["image/jpg", "image/pjpeg"],
    matches: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
    load: picture
  },
  {
    mimeType: "image/tiff",
    aliases: ["image/tif", "image/x-tiff"],
    matches: (bytes) =>
      startsWith(bytes, [0x49, 0x49, 0x2a, 0]) ||
      startsWith(bytes, [0x4d, 0x4d, 0, 0x2a]) ||
      startsWith(bytes, [0x49, 0x49, 0x2b, 0]) ||
      startsWith(bytes, [0x4d, 0x4d, 0, 0x2b]),
    load: picture
  },
  {
    mimeType: "image/webp",
    aliases: [],
    matches: (bytes) => startsWith(bytes, ascii("RIFF")) && startsWith(bytes, ascii("WEBP"), 8),
    load: picture
  },
  {
    mimeType: "image/gif",
    aliases: [],
    matches: (bytes) => startsWith(bytes, ascii("GIF8")),
    load: picture
  },
  {
    mimeType: "image/avif",
    aliases: [],
    matches: (bytes) => startsWith(bytes, ascii("ftypavif"), 4),
    load: picture
  },
  {
    mimeType: "image/heic",
    aliases: ["image/heif"],
    matches: isHeic,
    load: async () => (await import("./Heic.ts")).load()
  },
  {
    mimeType: "image/bmp",
    aliases: ["image/x-bmp", "image/x-ms-bmp"],
    matches: isBitmap,
    load: async () => (await import("./Bitmap.ts")).load()
  }
]
