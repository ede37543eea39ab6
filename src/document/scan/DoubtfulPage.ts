import type { Page } from "../../domain/DocumentIR.ts"

/** The median confidence of words below which a page is doubtful; see docs/measurements.md. */
const doubtful = 0.8
/** Digits are recognised in any script, so only words with letters count; fewer of them say little. */
const leastLetters = 3
const leastWords = 5

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1

/**
 * A warning about a recognised page whose words are mostly uncertain; undefined for any other. Engines read every page in the
 * scripts that they know, so a page in another one becomes words that mean nothing.
 */
export const doubtOf = ({ lines }: Pick<Page, "lines">): string | undefined => {
  const sure = lines
    .flatMap(({ words = [] }) => words)
    .filter(({ text }) => lettersOf(text) >= leastLetters)
    .map(({ confidence = 1 }) => confidence)
  return sure.length >= leastWords && medianOf(sure) < doubtful
    ? "Most words of a page are uncertain: it may be in a script or language that recognition has no data for, or badly printed. " +
        "Check its values. For another script, install its data, such as @tesseract.js-data/tha for Thai, and name it in " +
        "DOCFLOW_OCR_LANGUAGES, such as tha,eng."
    : undefined
}
