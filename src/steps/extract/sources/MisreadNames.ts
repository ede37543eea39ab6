import type { DocumentIR } from "../../../domain/DocumentIR.ts"
import { editDistance, editDistanceToPart } from "../../../support/EditDistance.ts"

const lettersOf = (value: string): string => value.toUpperCase().replace(/[^\p{L}\d]/gu, "")

/** Names with fewer letters are too easily like another. */
const fewestLetters = 6
const mostMisread = 0.2

/** Whether a page was recognised: the letters of other pages are those that were printed. */
export const mayBeMisread = ({ pages }: DocumentIR, page: number | undefined): boolean =>
  pages.find(({ pageNumber }) => pageNumber === page)?.source === "ocr"

/** Whether a name is a known one with some letters misread. */
export const isMisreading = (read: unknown, known: unknown): boolean => {
  if (typeof read !== "string" || typeof known !== "string") return false
  const [one, other] = [lettersOf(read), lettersOf(known)]
  return (
    Math.min(one.length, other.length) >= fewestLetters &&
    editDistance(one, other) <= mostMisread * other.length
  )
}

/** Whether what was read is a part of a known name, such as one of its two lines, with some letters misread. */
export const isMisreadPart = (read: unknown, known: unknown): boolean => {
  if (typeof read !== "string" || typeof known !== "string") return false
  const [part, whole] = [lettersOf(read), lettersOf(known)]
  return part.length >= fewestLetters && editDistanceToPart(part, whole) <= mostMisread * part.length
}
