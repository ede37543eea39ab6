import { anchorsOf, layoutWords } from "../../document/examples/Layout.ts"
import { boxAround, neighbours, runInBox } from "../../document/examples/PageWords.ts"
import { placeOfValue } from "../../document/examples/PlaceOfValue.ts"
import type { CorrectedField } from "../../domain/Corrections.ts"
import { defined } from "../../domain/Defined.ts"
import type { Page } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { LearnedExample, LearnedField } from "../../domain/LearnedExample.ts"
import { fromUpright } from "../../domain/Slant.ts"
import { turnsOf, uprightPage } from "../pages/UprightPage.ts"
import { wordsInBox } from "../pages/WordsInBox.ts"

/** The confidence from which an extracted value counts as checked once its document was checked. */
const sureFrom = 0.9

/** The pages of a document, by number. */
type Pages = ReadonlyMap<number, Page>

/** The box that a person drew, on the original page. */
const drawnPlace = ({ bbox, page }: CorrectedField, pages: Pages) => {
  const found = page === undefined ? undefined : pages.get(page)
  if (found === undefined || bbox === undefined) return undefined
  const text = wordsInBox(uprightPage(found, []), bbox)
  return { page: found, text, bbox: fromUpright({ turns: turnsOf(found), skew: 0 }, found, bbox) }
}

/** The place where the value was extracted. */
const ownPlace = ({ bbox, page, text }: FieldEvidence, pages: Pages) => {
  const own = page === undefined ? undefined : pages.get(page)
  return own === undefined || bbox === undefined || text === undefined ? undefined : { page: own, text, bbox }
}

const isName = (text: unknown): boolean =>
  typeof text === "string" && /\p{L}/u.test(text) && !/\d/u.test(text)

/** The place of the wrong value, if the corrected one is another name for it, such as the short name of a seller. */
const otherName = (evidence: FieldEvidence, { value }: CorrectedField, pages: Pages) => {
  return isName(value) && isName(evidence.text) ? ownPlace(evidence, pages) : undefined
}

const placeOf = (evidence: FieldEvidence, correction: CorrectedField | undefined, pages: Pages) => {
  if (correction === undefined) return evidence.confidence >= sureFrom ? ownPlace(evidence, pages) : undefined
  return (
    drawnPlace(correction, pages) ??
    (correction.accepted
      ? ownPlace(evidence, pages)
      : (placeOfValue(pages.values(), correction.value) ?? otherName(evidence, correction, pages)))
  )
}

const learnedField = (
  evidence: FieldEvidence,
  correction: CorrectedField | undefined,
  pages: Pages
): LearnedField | undefined => {
  const place = placeOf(evidence, correction, pages)
  if (place === undefined || place.text === "") return undefined
  const { row, run } = runInBox(place.page, place.bbox)
  const { after, before } = neighbours(row, run)
  return {
    value: correction === undefined ? evidence.value : correction.value,
    text: place.text,
    page: place.page.pageNumber,
    bbox: run.length === 0 ? place.bbox : boxAround(run),
    anchors: anchorsOf(place.page, place.bbox),
    corrected: correction?.accepted === false,
    ...defined({ before, after })
  }
}

/**
 * What a checked document teaches: the words of its layout, and the places of its fields. A typed value is searched on
 * the pages; a name that is not printed is bound to the place of the extracted name. Values of attachments and cells of
 * tables teach nothing.
 */
export const taughtBy = (
  fields: Readonly<Record<string, FieldEvidence>>,
  corrections: ReadonlyArray<CorrectedField>,
  pages: Pages
): Pick<LearnedExample, "words" | "fields"> | undefined => {
  const first = pages.get(1)
  if (first === undefined) return undefined
  const learned = Object.entries(fields).flatMap(([name, evidence]) => {
    if (evidence.file !== undefined) return []
    const correction = corrections.find(({ field, row }) => field === name && row === undefined)
    const found = learnedField(evidence, correction, pages)
    return found === undefined ? [] : [[name, found] as const]
  })
  return { words: layoutWords(first), fields: Object.fromEntries(learned) }
}
