/**
 * The common scale of confidence is the share of words that are right. Tesseract's own is near it; PP-OCRv4 gives 0.98
 * to words of which 0.94 are right, and 0.9 to words of which 0.68 are. Measured on receipts, real and synthetic; see
 * docs/measurements.md.
 */
const shareRight: ReadonlyArray<readonly [said: number, right: number]> = [
  [0, 0],
  [0.5, 0.3],
  [0.7, 0.5],
  [0.85, 0.65],
  [0.92, 0.8],
  [0.96, 0.9],
  [0.99, 0.96],
  [1, 0.97]
]

/** The same for words with digits, by the weakest of them. */
const shareOfFigures: typeof shareRight = [
  [0, 0.3],
  [0.5, 0.5],
  [0.7, 0.72],
  [0.85, 0.82],
  [0.93, 0.93],
  [0.97, 0.95],
  [1, 0.99]
]

const along = (curve: typeof shareRight, said: number): number => {
  let [from, low] = [0, 0]
  for (const [to, high] of curve) {
    if (said <= to) return to === from ? high : low + ((high - low) * (said - from)) / (to - from)
    ;[from, low] = [to, high]
  }
  return low
}

/** Converts PP-OCRv4's confidence in a word (0–1) to the common scale. */
export const confidenceOfPaddle = (said: number, text = ""): number =>
  along(/\d/u.test(text) ? shareOfFigures : shareRight, said)
