import type { OcrImage } from "./Ocr.ts"

/** A gray picture as a file that needs no compression: a line of header, then the pixels. */
export const toPgm = ({ width, height, pixels }: OcrImage): Uint8Array =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1"), pixels])
