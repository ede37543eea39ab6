import { crc32, deflateSync } from "node:zlib"

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A PNG of a few bytes that claims 60,000 × 60,000 pixels. */
export const hugePng = (): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(60_000, 0)
  header.writeUInt32BE(60_000, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(60_001))),
    chunk("IEND", Buffer.alloc(0))
  ])
}

type Entry = readonly [tag: number, value: number]

/** A TIFF of gray pages without compression, each a directory of tags and its pixels. */
const tiff = (pages: ReadonlyArray<{ readonly tags: ReadonlyArray<Entry>; readonly pixels: Buffer }>) => {
  const header = Buffer.from("49492a0008000000", "hex")
  let at = header.length
  const parts = pages.map(({ tags, pixels }, i) => {
    const size = 2 + 12 * (tags.length + 1) + 4
    const directory = Buffer.alloc(size)
    directory.writeUInt16LE(tags.length + 1, 0)
    const entries: ReadonlyArray<Entry> = [...tags, [273, at + size]]
    for (const [k, [tag, value]] of entries.toSorted(([a], [b]) => a - b).entries()) {
      directory.writeUInt16LE(tag, 2 + 12 * k)
      directory.writeUInt16LE(4, 4 + 12 * k)
      directory.writeUInt32LE(1, 6 + 12 * k)
      directory.writeUInt32LE(value, 10 + 12 * k)
    }
    at += size + pixels.length
    directory.writeUInt32LE(i === pages.length - 1 ? 0 : at, size - 4)
    return Buffer.concat([directory, pixels])
  })
  return Buffer.concat([header, ...parts])
}

const grayTags = (width: number, height: number, bytes: number): ReadonlyArray<Entry> => [
  [256, width],
  [257, height],
  [258, 8],
  [259, 1],
  [262, 1],
  [277, 1],
  [278, height],
  [279, bytes]
]

/** A TIFF of two pages. */
export const twoPageTiff = (): Buffer => {
  const page = { tags: grayTags(100, 50, 5000), pixels: Buffer.alloc(5000, 255) }
  return tiff([page, page])
}

/** A TIFF in CMYK with one bit a colour, as printers make it. */
export const oneBitCmykTiff = (): Buffer => {
  const tags = grayTags(8, 8, 32).filter(([tag]) => ![258, 262, 277].includes(tag))
  return tiff([{ tags: [...tags, [258, 1], [262, 5], [277, 4]], pixels: Buffer.alloc(32) }])
}

/** A TIFF that claims four thousand million pixels a side. */
export const hugeTiff = (): Buffer =>
  tiff([{ tags: grayTags(4_000_000_000, 4_000_000_000, 100), pixels: Buffer.alloc(100) }])

/** A BMP of 8 × 8 pixels, the upper half black, the lower white; stored upwards as usual, or downwards. */
export const bitmap = (upwards: boolean): Buffer => {
  const file = Buffer.alloc(54 + 8 * 24)
  file.write("BM", "latin1")
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(8, 18)
  file.writeInt32LE(upwards ? 8 : -8, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  const half = 54 + 4 * 24
  file.fill(255, upwards ? 54 : half, upwards ? half : undefined)
  return file
}
