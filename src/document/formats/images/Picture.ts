import type { Metadata, Sharp, SharpOptions } from "sharp"
import {
  type ColourImage,
  type FormatReader,
  NotReadable,
  type OpenDocument,
  type PageImage
} from "../FormatReader.ts"
import { checkSize, pageOf } from "./PictureSize.ts"
import { loadSharp } from "./Sharp.ts"

const frameOf = (metadata: Metadata) => {
  checkSize(metadata.width, metadata.height)
  return pageOf(metadata.autoOrient.width, metadata.autoOrient.height, metadata.density)
}

/** libvips refuses colours of less than a byte (halftone CMYK), although such a file is not damaged. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && /number of bytes/u.test(error.message)
    ? "Unsupported TIFF: its pixels are smaller than a byte."
    : "The picture is damaged or cannot be read."

const read = async <A>(job: Promise<A>): Promise<A> => {
  try {
    return await job
  } catch (error) {
    if (error instanceof NotReadable) throw error
    throw new NotReadable(reasonOf(error), { cause: error })
  }
}

const toGray = async (picture: Sharp, dpi: number): Promise<PageImage> => {
  const { data, info } = await read(
    picture
      .autoOrient()
      .flatten({ background: "#fff" })
      .toColourspace("b-w")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true })
  )
  return { width: info.width, height: info.height, dpi, pixels: data }
}

/** A picture in colour, no larger than its original. */
const toColour = async (picture: Sharp, side: number): Promise<ColourImage> => {
  const { data, info } = await read(
    picture
      .autoOrient()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true })
  )
  return { width: info.width, height: info.height, channels: info.channels === 1 ? 1 : 3, pixels: data }
}

/** Damaged pictures are read as far as possible. Their size has been checked. */
const options = (page: number): SharpOptions => ({ limitInputPixels: false, failOn: "none", page })

/** A document of pictures, one per page. */
const pictures = async (bytes: Uint8Array): Promise<OpenDocument> => {
  const sharp = await loadSharp()
  const frame = async (page: number) => frameOf(await read(sharp(bytes, options(page)).metadata()))
  const first = await read(sharp(bytes, options(0)).metadata())
  frameOf(first)
  return {
    // Of an animation the first picture is the document.
    pageCount: first.format === "tiff" ? (first.pages ?? 1) : 1,
    page: async (index) => {
      const { width, height } = await frame(index)
      return { width, height, words: [], drawn: true }
    },
    image: async (index) => {
      const { dpi } = await frame(index)
      return toGray(sharp(bytes, options(index)), dpi)
    },
    colours: async (index, side) => {
      await frame(index)
      return toColour(sharp(bytes, options(index)), side)
    },
    close: () => {}
  }
}

/** Memory of the whole process, in bytes; its peak on systems without /proc. */
const heldMemory = (): number => {
  try {
    return process.memoryUsage.rss()
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

/** The reader for pictures: PNG, JPEG, TIFF, WebP, GIF and AVIF, based on libvips. */
export const load = async (): Promise<FormatReader> => ({
  open: pictures,
  heldMemory
})
