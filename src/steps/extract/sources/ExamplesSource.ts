import { Effect } from "effect"
import { type FoundAgain, findAgain } from "../../../document/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../../document/examples/Layout.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedField } from "../../../domain/LearnedExample.ts"
import { LearnedExamples } from "../../../providers/examples/LearnedExamples.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

/** The share of common words from which two documents have the same layout. */
const sameLayout = 0.5
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

const evidenceOf = (learned: LearnedField, { document }: SourceRequest): FieldEvidence | undefined => {
  const page = document.pages.find(({ pageNumber }) => pageNumber === learned.page)
  const found = page === undefined ? undefined : findAgain(learned, page)
  if (found === undefined) return undefined
  // The form of a name does not show where it ends, unless the same name occurs again.
  const hasForm = /\d/u.test(found.text) || found.text === learned.text
  const isSure = hasForm && found.agreeing > 1 && found.fit >= goodFit
  return {
    value: found.value,
    confidence: learned.corrected === false ? hint : isSure ? fits : fitsFairly,
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
  const proposed = missingOf(request.fields, request.found).flatMap(({ name, type }) => {
    const field = type === "table" ? undefined : best.example.fields[name]
    const evidence = field === undefined ? undefined : evidenceOf(field, request)
    return evidence === undefined ? [] : [[name, evidence] as const]
  })
  if (proposed.length > 0) yield* learned.used(best.example.id)
  return { ...none, found: { ...request.found, ...Object.fromEntries(proposed) } }
})
