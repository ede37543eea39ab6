import type { OcrImage } from "./Ocr.ts"

/** Tesseract's page segmentation mode: 6 takes the picture for one block of text, 3 searches it for blocks. */
export const segmentation = ({ oneColumn = false }: Pick<OcrImage, "oneColumn">): string =>
  oneColumn ? "6" : "3"
