import { Effect } from "effect"
import { findAgain } from "../../../document/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../../document/examples/Layout.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedField } from "../../../domain/LearnedExample.ts"
import { readLike } from "../../../domain/PrintedValue.ts"
import { LearnedExamples } from "../../../providers/examples/LearnedExamples.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

/** From this share of common words on, two documents have the same layout. */
const sameLayout = 0.5
/** How sure a value is whose place several words near by agree on, and one that a single word names. */
const agreed = 0.93
const alone = 0.75

const evidenceOf = (learned: LearnedField, { document }: SourceRequest): FieldEvidence | undefined => {
  const page = document.pages.find(({ pageNumber }) => pageNumber === learned.page)
  const found = page === undefined ? undefined : findAgain(learned, page)
  const value = found === undefined ? undefined : readLike(found.text, learned)
  if (found === undefined || value === undefined) return undefined
  return {
    value,
    confidence: found.agreeing > 1 ? agreed : alone,
    status: "grounded",
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
  const examples = yield* (yield* LearnedExamples).similar(request.context.executionId, words)
  const [best] = examples
    .map((example) => ({ example, score: similarity(example.words, words) }))
    .filter(({ score }) => score >= sameLayout)
    .toSorted((one, other) => other.score - one.score)
  if (best === undefined) return none
  const proposed = missingOf(request.fields, request.found).flatMap(({ name, type }) => {
    const learned = type === "table" ? undefined : best.example.fields[name]
    const evidence = learned === undefined ? undefined : evidenceOf(learned, request)
    return evidence === undefined ? [] : [[name, evidence] as const]
  })
  return { ...none, found: { ...request.found, ...Object.fromEntries(proposed) } }
})
