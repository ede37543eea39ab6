import type { Sharp } from "sharp"
import type { PageImage } from "../formats/FormatReader.ts"
import { loadSharp } from "../formats/images/Sharp.ts"
import { isGrainy } from "./Grain.ts"
import type { ScanImage, Turns } from "./ScanImage.ts"
import { slantOf } from "./ScanSkew.ts"
import { withoutVerticalRules } from "./VerticalRules.ts"

/** Smaller pictures have letters that are too small to be recognised well; see docs/measurements.md. */
const smallSide = 1000
/** Larger ones only take longer. */
const mostPixels = 16_000_000
/** A picture that leans less, in degrees, is recognised as it is; its words are straightened when they are arranged. */
const slightest = 1

/** How unsharp a grainy picture is made, in pixels: letters stay, grain goes; see docs/measurements.md. */
const unsharp = 0.9

const white = { r: 255, g: 255, b: 255 }

const finished = async (picture: Sharp, dpi: number): Promise<PageImage> => {
  const { data, info } = await picture
    .flatten({ background: white })
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, dpi, pixels: data }
}

const scaleOf = ({ width, height }: PageImage): number =>
  Math.min(width, height) < smallSide ? 2 : Math.min(1, Math.sqrt(mostPixels / (width * height)))

/** Prepares a picture for recognition: upright, straight and large enough. */
export const prepareScan = async (image: PageImage, turns: Turns): Promise<ScanImage> => {
  const sharp = await loadSharp()
  const raw = ({ width, height, pixels }: PageImage): Sharp =>
    sharp(pixels, { raw: { width, height, channels: 1 }, limitInputPixels: false })
  const small = await finished(raw(image).resize(1000, 1000, { fit: "inside", withoutEnlargement: true }), 1)
  const { skew, sideways } = slantOf(small)
  let now = isGrainy(image) ? await finished(raw(image).blur(unsharp), image.dpi) : image
  if (turns !== 0) now = await finished(raw(now).rotate(turns * 90), image.dpi)
  const straightened = Math.abs(skew) > slightest
  if (straightened) now = await finished(raw(now).rotate(-skew, { background: white }), image.dpi)
  const scale = scaleOf(image)
  if (scale !== 1) {
    const width = Math.max(1, Math.round(now.width * scale))
    now = await finished(raw(now).resize(width, null, { kernel: "lanczos3" }), image.dpi * scale)
  }
  const page = { width: (image.width * 72) / image.dpi, height: (image.height * 72) / image.dpi }
  return {
    ...withoutVerticalRules(now),
    page,
    turns,
    skew: straightened ? skew : 0,
    lean: straightened ? 0 : skew,
    enlarged: scale,
    sideways
  }
}
