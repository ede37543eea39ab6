import type { OcrImage } from "./Ocr.ts"

/** Tesseract's page segmentation mode for a page with blocks of text, a single block, a single line. */
const modes = { page: "3", column: "6", line: "7" } as const

/** Tesseract's page segmentation mode for a picture. */
export const segmentation = ({ layout = "page" }: Pick<OcrImage, "layout">): string => modes[layout]
