import { Effect } from "effect"
import { type FoundAgain, findAgain } from "../../../document/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../../document/examples/Layout.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedField } from "../../../domain/LearnedExample.ts"
import { LearnedExamples } from "../../../providers/examples/LearnedExamples.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

/** From this share of common words on, two documents have the same layout. */
const sameLayout = 0.5
/** How sure a value is that a person had to correct in such a document, by how well it fits what was learned. */
const fits = 0.93
const fitsFairly = 0.75
/** What was right by itself before is only a hint: rules that see it too make it sure. */
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
  // A name has no form that would show where it ends; the same name again needs none.
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

/** What documents of the same layout teach that people checked before; what an earlier source has found stays. */
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
