import { Effect } from "effect"
import { type FoundAgain, findAgain } from "../../../document/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../../document/examples/Layout.ts"
import { commonMarks, hasWordsOf } from "../../../document/examples/Sender.ts"
import type { DocumentIR, Page } from "../../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedField } from "../../../domain/LearnedExample.ts"
import { isDateOfKnownOrder } from "../../../support/PrintedValue.ts"
import { isoDate, readDate } from "../../../support/ReadDate.ts"
import { LearnedExamples } from "../../../providers/examples/LearnedExamples.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import { isMisreading, isMisreadPart, mayBeMisread } from "./MisreadNames.ts"
import { defined } from "../../../support/Defined.ts"
import { correctedNamesOf } from "./CorrectedNames.ts"
import { confirmedKindOf } from "./ConfirmedKind.ts"
import { hint } from "./Reconciled.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

/** The similarity from which two documents have the same layout, and from which they are of one sender. */
const sameLayout = 0.5
const sameSender = 0.6
/** The similarity from which a common mark shows that the sender is the same, whatever else differs or was misread. */
const someWords = 0.3
/** The confidence in a value that a person had to correct before, by how well it fits. */
const fits = 0.93
const fitsFairly = 0.75
/** The confidence in a date of which nothing shows whether day or month comes first: rules would guess the same. */
const guessed = 0.5
/** From this fit on, several properties agree. */
const goodFit = 6

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, "")

/** Numbers, dates and currencies are printed in many ways; a name that is not in the text is one that a person gave it. */
const isPrinted = ({ text, value }: FoundAgain): boolean =>
  typeof value !== "string" ||
  /\d/u.test(value) ||
  /^[A-Z]{3}$/u.test(value) ||
  letters(text).includes(letters(value))

const inferred = (value: unknown, confidence: number): FieldEvidence => ({
  value,
  confidence,
  status: "inferred",
  by: "examples"
})

/** Whether a document is of the sender of an example. A mark may be the recipient's, but receipts have none. */
interface SameSender {
  readonly likely: boolean
  readonly certain: boolean
}

/** Whether a field is the name of the sender, and the sender is the same. */
const isOfSender = ({ finder }: Field, { certain, likely }: SameSender): boolean =>
  finder === "merchant" ? likely : finder === "seller" && certain

/** A value that has no place: its words are on the page, or it is known of the sender. */
const known = (field: Field, { unplaced, value }: LearnedField, page: Page, isSender: SameSender) => {
  if (typeof value !== "string") return undefined
  if (unplaced === "apart") return hasWordsOf(value, page) ? inferred(value, fits) : undefined
  if (field.finder === "currency") return unplaced === undefined ? undefined : inferred(value, fitsFairly)
  const isKnown = isOfSender(field, isSender) || (isSender.certain && unplaced === "nowhere")
  return isKnown ? inferred(value, hint) : undefined
}

/** How sure a date is whose day and month could be exchanged: only the example may show their order. */
const sureOfOrder = ({ text, value }: FoundAgain, learned: LearnedField): number | undefined => {
  const isDate = typeof value === "string" && isoDate.test(value)
  if (!isDate || readDate(text) === readDate(text, "MDY")) return undefined
  return isDateOfKnownOrder(learned) ? fits : guessed
}

const isMisread = (read: unknown, known: unknown): boolean =>
  isMisreading(read, known) || isMisreadPart(read, known)

/** The name of the sender of a document that has too few words of the layout in common. */
const nameOfSender = (field: Field, { value }: LearnedField): FieldEvidence | undefined =>
  field.finder === "merchant" && typeof value === "string" ? inferred(value, hint) : undefined

/** Whether what is printed where a value was is none of its kind: digits of an address for a name, or a speck. */
const isOfOtherKind = (
  found: FoundAgain,
  { page, text, value }: LearnedField,
  document: DocumentIR
): boolean => {
  const isAddress = typeof value === "string" && !/\d/u.test(text) && /\d/u.test(found.text)
  const isSpeck = !/[\p{L}\d]/u.test(found.text) && /[\p{L}\d]/u.test(text)
  return isSpeck || (isAddress && !mayBeMisread(document, page))
}

const confidenceIn = (found: FoundAgain, learned: LearnedField): number => {
  // The form of a name does not show where it ends, unless the same name occurs again.
  const hasForm = /\d/u.test(found.text) || found.text === learned.text
  const isSure = hasForm && !found.contested && found.agreeing > 1 && found.fit >= goodFit
  const ofOrder = sureOfOrder(found, learned)
  // What was only right before does not replace what rules are sure of.
  if (ofOrder !== undefined)
    return isSure && learned.corrected !== false ? ofOrder : Math.min(ofOrder, fitsFairly)
  if (learned.corrected === false) return hint
  return isSure ? fits : fitsFairly
}

const evidenceOf = (
  field: Field,
  learned: LearnedField,
  { document }: SourceRequest,
  isSender: SameSender
): FieldEvidence | undefined => {
  const [first] = document.pages
  const page = document.pages.find(({ pageNumber }) => pageNumber === learned.page)
  const found = page === undefined || learned.unplaced !== undefined ? undefined : findAgain(learned, page)
  // Where the name of the sender was, a misreading of it is no other name.
  const isName = isOfSender(field, isSender) && learned.value !== found?.value
  if (isName && mayBeMisread(document, learned.page) && isMisread(found?.value, learned.value))
    return inferred(learned.value, hint)
  // A name that is printed in another way is found with all that was around it, or not at all.
  const isUsable = found !== undefined && (isPrinted(found) || found.fit >= goodFit)
  if (!isUsable || isOfOtherKind(found, learned, document))
    return first === undefined ? undefined : known(field, learned, first, isSender)
  return {
    value: found.value,
    confidence: confidenceIn(found, learned),
    status: isPrinted(found) ? "grounded" : "inferred",
    page: learned.page,
    bbox: found.bbox,
    text: found.text,
    by: "examples"
  }
}

/** Takes values from checked documents of the same layout; values of earlier sources are kept. */
export const examplesSource = Effect.fnUntraced(function* (request: SourceRequest) {
  const none: SourceResult = { found: request.found, warnings: [], tokensUsed: 0, model: null }
  const [first] = request.document.pages
  if (first === undefined) return none
  const learned = yield* LearnedExamples
  const examples = yield* learned.similar(request.context.executionId, () => layoutWords(first))
  if (examples.length === 0) return none
  const words = layoutWords(first)
  const [best] = examples
    .map((example) => ({
      example,
      score: similarity(example.words, words),
      hasMark: commonMarks(example.words, words) > 0
    }))
    .filter(({ hasMark: has, score }) => score >= (has ? someWords : sameLayout))
    .toSorted((one, other) => other.score - one.score)
  if (best === undefined) return none
  const { hasMark } = best
  const confirmedKind = best.score >= sameSender ? confirmedKindOf(request.fields, best.example) : undefined
  const isSender = { likely: hasMark, certain: hasMark && best.score >= sameSender }
  const proposed = missingOf(request.fields, request.found).flatMap((field) => {
    const own =
      field.type === "table" || field.finder === "kind" ? undefined : best.example.fields[field.name]
    if (own === undefined) return []
    const evidence =
      best.score < sameLayout ? nameOfSender(field, own) : evidenceOf(field, own, request, isSender)
    return evidence === undefined ? [] : [[field.name, evidence] as const]
  })
  if (proposed.length > 0) yield* learned.used(best.example.id)
  return {
    ...none,
    found: { ...request.found, ...Object.fromEntries(proposed) },
    correctedNames: correctedNamesOf(request.fields, best.example, first, isSender.certain),
    ...defined({ confirmedKind })
  }
})
