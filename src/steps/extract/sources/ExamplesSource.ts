import { Effect } from "effect"
import { type FoundAgain, findAgain } from "../../../extraction/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../../extraction/examples/Layout.ts"
import { commonMarks, hasWordsOf } from "../../../extraction/examples/Sender.ts"
import type { DocumentIR, Page } from "../../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedField } from "../../../domain/LearnedExample.ts"
import { isDateOfKnownOrder } from "../../../extraction/values/PrintedValue.ts"
import { isoDay, onlyDate } from "../../../extraction/values/Dates.ts"
import { LearnedExamples } from "../../../providers/examples/LearnedExamples.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import { isMisreading, isMisreadPart, mayBeMisread } from "./MisreadNames.ts"
import { defined } from "../../../support/Defined.ts"
import { correctedNamesOf, confirmedKindOf } from "./CorrectedBefore.ts"
import { hint } from "./Reconciled.ts"
import { missingOf, type SourceRequest, type SourceResult, type TaughtAbsence } from "../ExtractSource.ts"
import {
  agreed,
  type AlikeExample,
  originsOf,
  type Vote,
  weigh,
  type Weighed,
  weighted
} from "./WeighExamples.ts"

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
  const date = typeof value === "string" && isoDay.test(value) ? onlyDate(text) : undefined
  if (date === undefined || date.others.length === 0) return undefined
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
  // Another supplier's pages may share most words, but not the label of the value.
  const isPlaced = found?.labelled === true || isSender.likely
  const isUsable = found !== undefined && isPlaced && (isPrinted(found) || found.fit >= goodFit)
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

/** What an example says of a field of this document, and where it finds that. */
interface FoundVote extends Vote {
  readonly evidence: FieldEvidence
}

const voteOf = (field: Field, alike: AlikeExample, request: SourceRequest): ReadonlyArray<FoundVote> => {
  const { example, hasMark, score } = alike
  const learned = example.fields[field.name]
  if (learned === undefined) return []
  if (learned.value === null) {
    const page = request.document.pages.find(({ pageNumber }) => pageNumber === learned.page)
    const found = page === undefined || learned.text === "" ? undefined : findAgain(learned, page)
    const place = found === undefined ? {} : { page: learned.page, bbox: found.bbox }
    const evidence = { value: null, confidence: 0, status: "missing" as const, ...place }
    return score < sameLayout ? [] : [{ alike, learned, value: null, evidence }]
  }
  const isSender = { likely: hasMark, certain: hasMark && score >= sameSender }
  const evidence =
    score < sameLayout ? nameOfSender(field, learned) : evidenceOf(field, learned, request, isSender)
  return evidence === undefined ? [] : [{ alike, learned, value: evidence.value, evidence }]
}

const isAbsent = ({ value }: Vote): boolean => value === null

const isVerdict = ({ learned: { by, corrected } }: Vote): boolean => by !== undefined || corrected === true

/** The evidence that several examples give together. */
const together = (weighed: Weighed<FoundVote>): FieldEvidence | undefined => {
  const { doubt, votes } = weighed
  const [best] = votes.toSorted((one, other) => other.evidence.confidence - one.evidence.confidence)
  if (best === undefined) return undefined
  // What was only right before, or a date whose order is guessed, is no surer for being repeated.
  const verdicts = votes.filter(isVerdict)
  const counted = best.learned.corrected === true && best.evidence.confidence > hint ? verdicts : [best]
  const confidence = agreed(best.evidence.confidence, { ...weighed, votes: counted })
  return {
    ...best.evidence,
    confidence,
    learnedFrom: originsOf(votes),
    ...(doubt === undefined ? {} : { doubts: [doubt] })
  }
}

/** The share of verdicts from which a value is dropped that people removed. */
const mostlyAbsent = 0.75

/** The absence that examples teach: the value goes to review after one verdict, and is dropped after several. */
const absenceOf = ({ doubt, share, votes }: Weighed<FoundVote>): TaughtAbsence => {
  const places = votes.flatMap(({ evidence: { bbox, page } }) =>
    bbox === undefined || page === undefined ? [] : [{ page, bbox }]
  )
  const documents = votes.map(({ alike }) => alike.example.executionId ?? alike.example.id).slice(0, 2)
  return {
    certain: share >= mostlyAbsent && votes.length > 1,
    ...defined({ place: places[0] }),
    reason:
      doubt ??
      `A person removed this value from a checked document of the same layout: ${documents.join(", ")}.`
  }
}

/** Takes values from checked documents of the same layout, all of them weighed; values of earlier sources are kept. */
export const examplesSource = Effect.fnUntraced(function* (request: SourceRequest) {
  const none: SourceResult = { found: request.found, warnings: [], tokensUsed: 0, model: null }
  const [first] = request.document.pages
  if (first === undefined) return none
  const learned = yield* LearnedExamples
  const examples = yield* learned.similar(request.context.executionId, () => layoutWords(first))
  if (examples.length === 0) return none
  const words = layoutWords(first)
  const alike = weighted(
    examples
      .map((example) => ({
        example,
        score: similarity(example.words, words),
        hasMark: commonMarks(example.words, words) > 0
      }))
      .filter(({ hasMark, score }) => score >= (hasMark ? someWords : sameLayout))
  )
  if (alike.length === 0) return none
  const open = missingOf(request.fields, request.found).filter(
    ({ finder, type }) => type !== "table" && finder !== "kind"
  )
  const weighed = open.flatMap((field) => {
    const all = alike.flatMap((one) => voteOf(field, one, request))
    const result = weigh(all)
    return result === undefined ? [] : [[field.name, { ...result, all }] as const]
  })
  const absent = weighed.flatMap(([name, result]) =>
    result.votes.every(isAbsent) ? [[name, absenceOf(result)] as const] : []
  )
  const proposed = weighed.flatMap(([name, { all, ...result }]) => {
    // Until the absence is certain, a person sees the value that other documents propose.
    const chosen = result.votes.every(isAbsent) ? weigh(all.filter((vote) => !isAbsent(vote))) : result
    const evidence = chosen === undefined ? undefined : together(chosen)
    return evidence === undefined ? [] : [[name, evidence] as const]
  })
  const used = new Set(
    proposed.flatMap(([, { learnedFrom = [] }]) => learnedFrom.map(({ example }) => example))
  )
  for (const id of used) yield* learned.used(id)
  const ofSender = alike.filter(({ score }) => score >= sameSender)
  return {
    ...none,
    alike,
    found: { ...request.found, ...Object.fromEntries(proposed) },
    correctedNames: correctedNamesOf(request.fields, alike, first, sameSender),
    absent: Object.fromEntries(absent),
    ...defined({ confirmedKind: confirmedKindOf(request.fields, ofSender) })
  }
})
