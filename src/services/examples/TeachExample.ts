import { anchorsOf, layoutWords } from "../../extraction/examples/Layout.ts"
import { hasWordsOf } from "../../extraction/examples/Sender.ts"
import { boxAround, neighbours, runInBox } from "../../extraction/examples/PageWords.ts"
import { placeOfValue, placesOfValue, type PrintedPlace } from "../../extraction/examples/PlaceOfValue.ts"
import type { CorrectedField } from "../../domain/Corrections.ts"
import { defined } from "../../support/Defined.ts"
import type { Page } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { LearnedExample, LearnedField, LearnedPlace } from "../../domain/LearnedExample.ts"
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
  const first = pages.get(1)
  if (!isName(value) || !isName(evidence.text)) return undefined
  const isApart = first !== undefined && hasWordsOf(String(value), first)
  return isApart ? undefined : ownPlace(evidence, pages)
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

/** A name or a code that a person typed or accepted, and that is not printed in one piece: it holds for documents of the sender. */
const unplacedField = ({ accepted, by, value }: CorrectedField, page: Page): LearnedField | undefined =>
  !isName(value)
    ? undefined
    : {
        value,
        text: "",
        page: page.pageNumber,
        bbox: { x: 0, y: 0, w: 0, h: 0 },
        anchors: [],
        corrected: !accepted,
        by,
        unplaced: hasWordsOf(String(value), page) ? "apart" : "nowhere"
      }

const learnedPlace = ({ bbox, page, text }: PrintedPlace): LearnedPlace => {
  const { row, run } = runInBox(page, bbox)
  const { after, before } = neighbours(row, run)
  return {
    text,
    page: page.pageNumber,
    bbox: run.length === 0 ? bbox : boxAround(run),
    anchors: anchorsOf(page, bbox),
    ...defined({ before, after })
  }
}

/** The number of other places of an amount that are kept. */
const mostOthers = 2

const isSamePlace = (one: PrintedPlace, other: PrintedPlace): boolean =>
  one.page === other.page &&
  Math.abs(one.bbox.y - other.bbox.y) < one.bbox.h / 2 &&
  one.bbox.x < other.bbox.x + other.bbox.w &&
  other.bbox.x < one.bbox.x + one.bbox.w

/** Where else an amount is printed, the last places first. */
const otherPlaces = (place: PrintedPlace, value: unknown, pages: Pages): ReadonlyArray<PrintedPlace> =>
  typeof value === "number"
    ? placesOfValue(pages.values(), value)
        .filter((other) => !isSamePlace(place, other))
        .toReversed()
        .slice(0, mostOthers)
    : []

const placedField = (
  place: PrintedPlace,
  evidence: FieldEvidence,
  correction: CorrectedField | undefined,
  pages: Pages
): LearnedField => {
  const value = correction === undefined ? evidence.value : correction.value
  const others = otherPlaces(place, value, pages).map(learnedPlace)
  return {
    value,
    ...learnedPlace(place),
    // Accepting what an example proposed confirms the example; it does not make the value one that rules find.
    corrected: correction !== undefined && (!correction.accepted || evidence.by === "examples"),
    ...defined({ by: correction?.by }),
    ...(others.length === 0 ? {} : { others })
  }
}

/** The wrong name or kind that a person corrected. */
const insteadOf = ({ value }: FieldEvidence, correction: CorrectedField | undefined) =>
  correction?.accepted === false && typeof value === "string" && isName(value) ? { instead: value } : {}

/** A value that a person removed, or whose absence a person confirmed, with the place of the removed one. */
const absentField = (
  evidence: FieldEvidence,
  { accepted, by }: CorrectedField,
  pages: Pages,
  first: Page
): LearnedField => {
  const place = ownPlace(evidence, pages)
  const nowhere = { text: "", page: first.pageNumber, bbox: { x: 0, y: 0, w: 0, h: 0 }, anchors: [] }
  const at = place === undefined || place.text === "" ? nowhere : learnedPlace(place)
  return { ...at, value: null, corrected: !accepted, by }
}

const learnedField = (
  evidence: FieldEvidence,
  correction: CorrectedField | undefined,
  pages: Pages,
  first: Page
): LearnedField | undefined => {
  if (correction?.value === null) return absentField(evidence, correction, pages, first)
  // Nobody looked at a value that examples proposed: it teaches nothing that they do not.
  if (correction === undefined && evidence.by === "examples") return undefined
  const place = placeOf(evidence, correction, pages)
  const own =
    place !== undefined && place.text !== ""
      ? placedField(place, evidence, correction, pages)
      : correction && unplacedField(correction, first)
  return own === undefined ? undefined : { ...own, ...insteadOf(evidence, correction) }
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
    const found = learnedField(evidence, correction, pages, first)
    return found === undefined ? [] : [[name, found] as const]
  })
  return { words: layoutWords(first), fields: Object.fromEntries(learned) }
}
