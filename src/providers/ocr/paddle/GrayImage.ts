/** A picture with one byte per pixel, row by row without padding; 0 is black. */
export interface GrayImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** The picture at half its size: each pixel is the mean of four. */
const halved = ({ width, height, pixels }: GrayImage): GrayImage => {
  const [w, h] = [width >> 1, height >> 1]
  const out = new Uint8Array(w * h)
  for (let y = 0; y < h; y++) {
    let from = 2 * y * width
    for (let x = 0; x < w; x++, from += 2) {
      const upper = (pixels[from] ?? 0) + (pixels[from + 1] ?? 0)
      const lower = (pixels[from + width] ?? 0) + (pixels[from + width + 1] ?? 0)
      out[y * w + x] = (upper + lower + 2) >> 2
    }
  }
  return { width: w, height: h, pixels: out }
}

/** The picture at full, half, quarter and eighth size: sampling from the level nearest to the target avoids aliasing. */
export const pyramidOf = (image: GrayImage): ReadonlyArray<GrayImage> => {
  const levels = [image]
  let last = image
  while (levels.length < 4 && Math.min(last.width, last.height) >= 64) {
    last = halved(last)
    levels.push(last)
  }
  return levels
}

/**
 * A linear map from the pixels of a target to those of a picture: the position of its first pixel, and one step in each
 * direction.
 */
export interface Sampling {
  readonly x: number
  readonly y: number
  /** One pixel to the right in the target. */
  readonly right: readonly [x: number, y: number]
  /** One pixel down in the target. */
  readonly down: readonly [x: number, y: number]
}

/** The destination of sampled pixels: a part of an array, with `stride` values per row. */
export interface Target {
  readonly values: Float32Array | Uint8Array
  readonly offset: number
  readonly stride: number
  readonly width: number
  readonly height: number
}

/** The level of the pyramid for steps of `length` pixels, and its scale. */
const levelFor = (pyramid: ReadonlyArray<GrayImage>, length: number): number =>
  Math.max(0, Math.min(pyramid.length - 1, Math.floor(Math.log2(Math.max(1, length)))))

/**
 * Fills the target by bilinear interpolation; outside the picture, its border is repeated. Each gray value (0–255)
 * becomes `value * factor + shift`.
 */
export const sample = (
  pyramid: ReadonlyArray<GrayImage>,
  { x: left, y: top, right, down }: Sampling,
  target: Target,
  factor: number,
  shift: number
): void => {
  const level = levelFor(pyramid, Math.hypot(...down))
  const image = pyramid[level]
  if (image === undefined) return
  const { pixels, width, height } = image
  const scale = 1 / (1 << level)
  const [lastX, lastY] = [width - 1, height - 1]
  for (let row = 0; row < target.height; row++) {
    let at = target.offset + row * target.stride
    for (let column = 0; column < target.width; column++, at++) {
      const x = (left + column * right[0] + row * down[0]) * scale - 0.5
      const y = (top + column * right[1] + row * down[1]) * scale - 0.5
      const cx = x < 0 ? 0 : x > lastX ? lastX : x
      const cy = y < 0 ? 0 : y > lastY ? lastY : y
      const [x0, y0] = [cx | 0, cy | 0]
      const [a, b] = [cx - x0, cy - y0]
      const upper = y0 * width + x0
      const lower = y0 < lastY ? upper + width : upper
      const next = x0 < lastX ? 1 : 0
      const above = (pixels[upper] ?? 0) * (1 - a) + (pixels[upper + next] ?? 0) * a
      const below = (pixels[lower] ?? 0) * (1 - a) + (pixels[lower + next] ?? 0) * a
      target.values[at] = (above * (1 - b) + below * b) * factor + shift
    }
  }
}
