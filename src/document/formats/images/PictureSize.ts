import { NotReadable } from "../FormatReader.ts"

/** A larger picture takes more memory than a child has. */
const usualMost = 100_000_000

/** The usual resolution of scanners, for pictures without one. */
export const usualDpi = 200

/** Resolutions that programs write if they know none. */
const meaningless = new Set([72, 96])

/** Refuses a picture that would take too much memory, before it is decoded. */
export const checkSize = (width: number, height: number, mostPixels = usualMost): void => {
  if (width < 1 || height < 1) throw new NotReadable("The picture is empty.")
  if (width * height <= mostPixels) return
  throw new NotReadable(
    `The picture has ${width} × ${height} pixels; at most ${mostPixels / 1_000_000} million are read.`
  )
}

/** The page size, in points, for a picture of the given size in pixels, and its assumed resolution. */
export const pageOf = (width: number, height: number, stated: number | undefined) => {
  const believed = stated !== undefined && stated >= 50 && stated <= 2400 && !meaningless.has(stated)
  const dpi = believed ? stated : usualDpi
  return { width: (width * 72) / dpi, height: (height * 72) / dpi, dpi }
}
