import type { PageImage } from "../formats/FormatReader.ts"
import { loadSharp } from "../formats/images/Sharp.ts"
import { longestSide, mostPictureBytes, type PagePicture } from "./PagePicture.ts"
import type { Turns } from "./ScanImage.ts"

/** JPEG qualities, from fine to coarse; small letters remain legible down to about 40. */
const qualities = [80, 60, 40]
/** The factor by which a picture is reduced that is too large at every quality. */
const smaller = 0.7

/** Encodes a page as JPEG, turned upright by quarter turns; never larger than its original. */
export const encodePicture = async (
  image: PageImage,
  turns: Turns,
  most = mostPictureBytes
): Promise<PagePicture> => {
  const sharp = await loadSharp()
  const { width, height, pixels } = image
  const limits = { fit: "inside", withoutEnlargement: true } as const
  for (let side = longestSide; side >= 1; side = Math.floor(side * smaller)) {
    const picture = sharp(pixels, { raw: { width, height, channels: 1 }, limitInputPixels: false })
      .resize(side, side, limits)
      .rotate(turns * 90)
      .toColourspace("b-w")
    for (const quality of qualities) {
      const { data, info } = await picture.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true })
      if (data.length > most) continue
      return { mimeType: "image/jpeg", bytes: data, width: info.width, height: info.height }
    }
  }
  throw new Error("The page is too large to be made into a picture.")
}
