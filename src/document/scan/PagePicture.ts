/** A page as a picture that a model can be shown: gray, and the way up that its text is. */
export interface PagePicture {
  readonly mimeType: "image/jpeg"
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** The longest side of a picture, in pixels: services that take larger ones make them smaller themselves. */
export const longestSide = 1568

/** The most bytes of a picture; pages take 100 to 400 KB. */
export const mostPictureBytes = 1024 * 1024

/** A page as a picture for people: in colour, the way up that its text is. */
export interface PageView {
  readonly mimeType: "image/webp"
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Which page to show, turned by a number of quarters clockwise, its longest side in pixels. */
export interface ViewOf {
  readonly pageNumber: number
  readonly turns: 0 | 1 | 2 | 3
  readonly side: number
}
