import { Effect } from "effect"
import type { ReadFailure } from "../../domain/Document.ts"
import { longestSide, type PagePicture } from "./PagePicture.ts"
import { pictureAsker } from "../process/ReadScans.ts"
import type { ReaderPool, Source } from "../process/ReaderPool.ts"
import type { Turns } from "./ScanImage.ts"

/** The page to make a picture of; a page of the documentIR is one. */
export interface PictureOf {
  readonly pageNumber: number
  /** Its size in points; 0 if unknown. */
  readonly width: number
  readonly height: number
  readonly slant?: { readonly turns: Turns }
}

/** Makes a picture of a page. */
export type MakePicture = (page: PictureOf) => Effect.Effect<PagePicture, ReadFailure>

/** The maximum resolution: that of recognition. */
const mostDpi = 200

const dpiFor = ({ height, width }: PictureOf): number =>
  Math.max(1, Math.min(mostDpi, (longestSide * 72) / Math.max(1, width, height)))

/** Makes pictures of a document's pages on demand, in the children that read documents. */
export const makePictures = (readers: ReaderPool, source: Source, pageLimit: number): MakePicture => {
  const asked = pictureAsker(readers, source, pageLimit)
  return (page) =>
    Effect.map(
      asked<"picture">({
        ask: "picture",
        index: page.pageNumber - 1,
        dpi: dpiFor(page),
        turns: page.slant?.turns ?? 0
      }),
      ({ picture }) => picture
    )
}
