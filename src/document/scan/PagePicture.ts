/** A page as a picture for a model: gray, with its text upright. */
export interface PagePicture {
  readonly mimeType: "image/jpeg"
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** The longest side of a picture, in pixels: providers reduce larger pictures anyway. */
export const longestSide = 1568

/** The maximum size of a picture, in bytes; pages take 100 to 400 KB. */
export const mostPictureBytes = 1024 * 1024

/** A page as a picture for people: in colour, with its text upright. */
export interface PageView {
  readonly mimeType: "image/webp"
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** The page to show, turned by a number of quarter turns clockwise, and its longest side in pixels. */
export interface ViewOf {
  readonly pageNumber: number
  readonly turns: 0 | 1 | 2 | 3
  readonly side: number
}
