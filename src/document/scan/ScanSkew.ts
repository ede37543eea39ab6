import type { PageImage } from "../formats/FormatReader.ts"

/** The direction of lines in a picture: `skew` in degrees, clockwise; `sideways` if they run vertically. */
export interface Slant {
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
export const slantOf = (image: PageImage): Slant => {
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
