import { Effect } from "effect"
import { type FoundAgain, findAgain } from "../../../document/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../../document/examples/Layout.ts"
import { commonMarks, hasWordsOf } from "../../../document/examples/Sender.ts"
import type { Page } from "../../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedField } from "../../../domain/LearnedExample.ts"
import { isDateOfKnownOrder, readDate } from "../../../domain/PrintedValue.ts"
import { LearnedExamples } from "../../../providers/examples/LearnedExamples.ts"
import type { Field } from "../Field.ts"
import { isMisreading, mayBeMisread } from "./MisreadNames.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

/** The similarity from which two documents have the same layout, and from which they are of one sender. */
const sameLayout = 0.5
const sameSender = 0.6
/** The confidence in a value that a person had to correct before, by how well it fits. */
const fits = 0.93
const fitsFairly = 0.75
/** The confidence in a value that was right before: only a hint, until rules find it too. */
const hint = 0.7
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

/** Whether the order of day and month is known from the example only. */
const ordersDate = ({ text }: FoundAgain, learned: LearnedField): boolean =>
  isDateOfKnownOrder(learned) && readDate(text) !== readDate(text, "MDY")

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
  if (isName && mayBeMisread(document, learned.page) && isMisreading(found?.value, learned.value))
    return inferred(learned.value, hint)
  // A name that is printed in another way is found with all that was around it, or not at all.
  if (found === undefined || (!isPrinted(found) && found.fit < goodFit))
    return first === undefined ? undefined : known(field, learned, first, isSender)
  // The form of a name does not show where it ends, unless the same name occurs again.
  const hasForm = /\d/u.test(found.text) || found.text === learned.text
  const isSure = hasForm && !found.contested && found.agreeing > 1 && found.fit >= goodFit
  return {
    value: found.value,
    confidence: ordersDate(found, learned)
      ? fits
      : learned.corrected === false
        ? hint
        : isSure
          ? fits
          : fitsFairly,
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
  const words = layoutWords(first)
  const learned = yield* LearnedExamples
  const examples = yield* learned.similar(request.context.executionId, words)
  const [best] = examples
    .map((example) => ({ example, score: similarity(example.words, words) }))
    .filter(({ score }) => score >= sameLayout)
    .toSorted((one, other) => other.score - one.score)
  if (best === undefined) return none
  const hasMark = commonMarks(best.example.words, words) > 0
  const isSender = { likely: hasMark, certain: hasMark && best.score >= sameSender }
  const proposed = missingOf(request.fields, request.found).flatMap((field) => {
    const own = field.type === "table" ? undefined : best.example.fields[field.name]
    const evidence = own === undefined ? undefined : evidenceOf(field, own, request, isSender)
    return evidence === undefined ? [] : [[field.name, evidence] as const]
  })
  if (proposed.length > 0) yield* learned.used(best.example.id)
  return { ...none, found: { ...request.found, ...Object.fromEntries(proposed) } }
})
