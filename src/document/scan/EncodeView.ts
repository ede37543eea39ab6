import type { ColourImage } from "../formats/FormatReader.ts"
import { loadSharp } from "../formats/images/Sharp.ts"
import type { PageView } from "./PagePicture.ts"
import type { Turns } from "./ScanImage.ts"

/** The resolution for pages whose format supports gray only. */
export const grayDpi = 200

/** The WebP quality: letters stay sharp, and a page takes 50 to 200 KB. */
const quality = 82

/** Encodes a page as WebP, turned by quarter turns, its longest side at most `side` pixels. */
export const encodeView = async (
  { channels, height, pixels, width }: ColourImage,
  turns: Turns,
  side: number
): Promise<PageView> => {
  const sharp = await loadSharp()
  const { data, info } = await sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false })
    .removeAlpha()
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .rotate(turns * 90)
    // Effort 1 of 6: three times as fast as the default, and a tenth larger.
    .webp({ quality, effort: 1 })
    .toBuffer({ resolveWithObject: true })
  return { mimeType: "image/webp", bytes: data, width: info.width, height: info.height }
}
