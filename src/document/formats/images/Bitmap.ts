import { type FormatReader, NotReadable, type OpenDocument, type PageImage } from "../FormatReader.ts"
import { checkSize, pageOf, usualDpi } from "./PictureSize.ts"

interface Header {
  readonly width: number
  readonly height: number
  readonly topDown: boolean
  readonly bits: number
  readonly dpi: number
  /** Where the pixels begin. */
  readonly at: number
  /** Gray of each palette entry. */
  readonly palette: Uint8Array
  /** The bits of a pixel for red, green and blue, if the file defines them. */
  readonly masks: readonly [number, number, number] | undefined
}

const gray = (red: number, green: number, blue: number): number =>
  Math.round(0.299 * red + 0.587 * green + 0.114 * blue)

const damaged = (): NotReadable => new NotReadable("The picture is damaged or cannot be read.")

const paletteOf = (view: DataView, from: number, to: number, entry: 3 | 4): Uint8Array => {
  const count = Math.max(0, Math.min(256, Math.floor((to - from) / entry)))
  return Uint8Array.from({ length: count }, (_, i) => {
    const at = from + i * entry
    return gray(view.getUint8(at + 2), view.getUint8(at + 1), view.getUint8(at))
  })
}

const headerOf = (view: DataView): Header => {
  const size = view.getUint32(14, true)
  const at = view.getUint32(10, true)
  if (size === 12) {
    const [width, height] = [view.getUint16(18, true), view.getUint16(20, true)]
    const palette = paletteOf(view, 26, at, 3)
    return {
      width,
      height,
      topDown: false,
      bits: view.getUint16(24, true),
      dpi: usualDpi,
      at,
      palette,
      masks: undefined
    }
  }
  const compression = view.getUint32(30, true)
  const height = view.getInt32(22, true)
  const bits = view.getUint16(28, true)
  const masked = compression === 3 || compression === 6
  if (compression !== 0 && !masked) {
    throw new NotReadable("Compressed BMP pictures are not supported.")
  }
  const mask = (i: number) => view.getUint32(54 + 4 * i, true)
  const dpi = Math.round(view.getInt32(38, true) * 0.0254)
  return {
    width: view.getInt32(18, true),
    height: Math.abs(height),
    topDown: height < 0,
    bits,
    dpi,
    at,
    palette: bits > 8 ? new Uint8Array() : paletteOf(view, 14 + size, at, 4),
    masks: masked ? [mask(0), mask(1), mask(2)] : bits === 16 ? [0x7c00, 0x3e0, 0x1f] : undefined
  }
}

const channel = (pixel: number, mask: number): number => {
  if (mask === 0) return 0
  const shift = 31 - Math.clz32(mask & -mask)
  return (((pixel & mask) >>> shift) * 255) / (mask >>> shift)
}

const grayAt = (view: DataView, header: Header, row: number, x: number): number => {
  const { bits, masks, palette } = header
  if (bits <= 8) {
    const byte = view.getUint8(row + ((x * bits) >> 3))
    return palette[(byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1)] ?? 0
  }
  const at = row + (x * bits) / 8
  if (masks === undefined) return gray(view.getUint8(at + 2), view.getUint8(at + 1), view.getUint8(at))
  const pixel = bits === 16 ? view.getUint16(at, true) : view.getUint32(at, true)
  return gray(channel(pixel, masks[0]), channel(pixel, masks[1]), channel(pixel, masks[2]))
}

const decode = (view: DataView, header: Header): PageImage => {
  const { width, height, bits, at, topDown } = header
  const stride = (((width * bits + 31) >> 5) << 2) >>> 0
  if (at + stride * height > view.byteLength) throw damaged()
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = at + (topDown ? y : height - 1 - y) * stride
    for (let x = 0; x < width; x++) pixels[y * width + x] = grayAt(view, header, row, x)
  }
  return { width, height, dpi: header.dpi, pixels }
}

const open = (bytes: Uint8Array): OpenDocument => {
  if (bytes.length < 58) throw damaged()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = headerOf(view)
  checkSize(header.width, header.height)
  if (![1, 4, 8, 16, 24, 32].includes(header.bits)) throw damaged()
  const page = pageOf(header.width, header.height, header.dpi)
  return {
    pageCount: 1,
    page: () => ({ width: page.width, height: page.height, words: [], drawn: true }),
    image: () => ({ ...decode(view, header), dpi: page.dpi }),
    close: () => {}
  }
}

/** The reader for BMP, which libvips does not support. */
export const load = async (): Promise<FormatReader> => ({ open, heldMemory: () => 0 })
