import type { PageImage } from "../formats/FormatReader.ts"

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
