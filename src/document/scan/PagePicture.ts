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
