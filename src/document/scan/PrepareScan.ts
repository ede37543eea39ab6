import type { Sharp } from "sharp"
import type { PageImage } from "../formats/FormatReader.ts"
import { loadSharp } from "../formats/images/Sharp.ts"
import type { ScanImage, Turns } from "./ScanImage.ts"
import { withoutVerticalRules } from "./VerticalRules.ts"

/** The direction of lines in a picture: `skew` in degrees, clockwise; `sideways` if they run vertically. */
interface Slant {
  readonly skew: number
  readonly sideways: boolean
}

interface Points {
  readonly along: Float32Array
  readonly across: Float32Array
}

/** The minimum increase in brightness at the edge of a letter. */
const edge = 40
const steepest = 8
/** With fewer edges, it is not text, or too little to tell. */
const fewest = 200

/** Lower edges of letters (right edges for vertical lines). */
const edges = ({ width, height, pixels }: PageImage, step: 1 | "row"): Points => {
  const next = step === "row" ? width : 1
  const along: Array<number> = []
  const across: Array<number> = []
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const at = y * width + x
      if ((pixels[at + next] ?? 0) - (pixels[at] ?? 0) <= edge) continue
      along.push(step === "row" ? x : y)
      across.push(step === "row" ? y : x)
    }
  }
  return { along: Float32Array.from(along), across: Float32Array.from(across) }
}

/** How sharply the points fall into lines of an angle; 1 if they are spread evenly. */
const sharpness = ({ along, across }: Points, degrees: number, span: number): number => {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const bins = new Uint32Array(2 * span)
  for (let i = 0; i < along.length; i++) {
    const bin = Math.round((across[i] ?? 0) - (along[i] ?? 0) * slope + span / 2)
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  let squares = 0
  for (const count of bins) squares += count * count
  return (squares * span) / (along.length * along.length)
}

const steepestAngle = (points: Points, span: number): { readonly angle: number; readonly sharp: number } => {
  let best = { angle: 0, sharp: sharpness(points, 0, span) }
  const consider = (angle: number) => {
    const sharp = sharpness(points, angle, span)
    if (sharp > best.sharp) best = { angle, sharp }
  }
  for (let angle = -steepest; angle <= steepest; angle += 0.5) consider(angle)
  const coarse = best.angle
  for (let angle = coarse - 0.4; angle <= coarse + 0.41; angle += 0.1) consider(angle)
  return best
}

/** Finds how the lines of text in a small picture (about 1000 pixels) run. */
const slantOf = (image: PageImage): Slant => {
  const upright = edges(image, "row")
  const turned = edges(image, 1)
  if (Math.min(upright.along.length, turned.along.length) < fewest) return { skew: 0, sideways: false }
  const rows = steepestAngle(upright, image.height)
  const columns = steepestAngle(turned, image.width)
  const sideways = columns.sharp > 1.3 * rows.sharp
  // Columns lean to the other side.
  const skew = sideways ? -columns.angle : rows.angle
  return { skew: Math.abs(skew) < steepest ? Math.round(skew * 10) / 10 : 0, sideways }
}

/** One pixel in so many, along and across, is compared with those around it. */
const step = 7
/** How far these are, so that smoothing by a compression does not hide the grain. */
const reach = 2
/** The levels by which pixels of a grainy picture differ from those around them: 0 to 2 on most scans, up to 9 on photos. */
const grainy = 11

/**
 * Whether a picture has so much grain that letters cannot be told from it: the median difference between a pixel and the mean of
 * those around it. Most of a page is paper, so letters do not count.
 */
export const isGrainy = ({ height, pixels, width }: PageImage): boolean => {
  let [all, many] = [0, 0]
  for (let y = reach; y < height - reach; y += step) {
    for (let x = reach; x < width - reach; x += step) {
      const at = y * width + x
      const sideways = (pixels[at - reach] ?? 0) + (pixels[at + reach] ?? 0)
      const upwards = (pixels[at - reach * width] ?? 0) + (pixels[at + reach * width] ?? 0)
      all++
      if (Math.abs((pixels[at] ?? 0) - (sideways + upwards) / 4) >= grainy) many++
    }
  }
  return 2 * many > all
}

/** Smaller pictures have letters that are too small to be recognised well. */
const smallSide = 1000
/** Larger ones only take longer. */
const mostPixels = 16_000_000
/** A picture that leans less, in degrees, is recognised as it is; its words are straightened when they are arranged. */
const slightest = 1

/** How unsharp a grainy picture is made, in pixels: letters stay, grain goes. */
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
