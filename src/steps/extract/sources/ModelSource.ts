import { Effect, Equal, Result } from "effect"
import type { DocumentReader } from "../../../document/DocumentReader.ts"
import type { DocumentIR } from "../../../domain/DocumentIR.ts"
import type { BlobStoreFailure } from "../../../providers/blobs/Blobs.ts"
import { type Llm, LlmFailure } from "../../../providers/llm/Llm.ts"
import type { DocumentUnavailable, OwnDocuments } from "../../../providers/documents/OwnDocuments.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import { searchableText } from "../../../extraction/grounding/SearchableText.ts"
import { ask, type ChunkAnswer } from "../model/Ask.ts"
import { balances, brokenSum } from "../model/Balance.ts"
import { doubts, equationsOf } from "../model/Doubts.ts"
import { merge } from "../model/Merge.ts"
import { shownExamples } from "../model/ShownExamples.ts"
import { settle } from "../model/Settle.ts"
import { tokensOfAll } from "../../models/AskModel.ts"
import { chosenModel } from "../../models/ChosenModel.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

const names = (fields: ReadonlyArray<Field>): string => fields.map(({ name }) => name).join(", ")

const unasked = (request: SourceRequest, warnings: ReadonlyArray<string>): SourceResult => ({
  found: request.found,
  warnings,
  tokensUsed: 0,
  model: null
})

/** Pages that could not be read: no model was shown them. */
const unread = ({ pages }: DocumentIR, answers: ReadonlyArray<ChunkAnswer>): ReadonlyArray<string> => {
  const seen = new Set(answers.flatMap(({ pictured }) => pictured.map(({ pageNumber }) => pageNumber)))
  const numbers = pages
    .filter(({ pageNumber, problem }) => problem !== undefined && !seen.has(pageNumber))
    .map(({ pageNumber }) => pageNumber)
  return numbers.length === 0
    ? []
    : [`The model was not asked about what could not be read: page ${numbers.join(", ")}.`]
}

/**
 * Asks a model for the fields that are missing or in doubt, and looks for each value in the document. Without doubts,
 * there is no request. Without a model, the step fails if fields are missing; if they are only in doubt, there is a
 * warning. A model that fails makes the step fail, though the rules may have found what is required: a result that is
 * worse on a bad day than on a good one would go unnoticed.
 */
export const modelSource = Effect.fnUntraced(function* (
  request: SourceRequest
): Effect.fn.Return<
  SourceResult,
  LlmFailure | DocumentUnavailable | BlobStoreFailure,
  Llm | OwnDocuments | DocumentReader
> {
  const { context, document, dateOrder, fields, found } = request
  const equations = equationsOf(request.relations)
  const asked = doubts(fields, found, equations)
  if (asked.length === 0) return unasked(request, [])
  const choice = yield* Effect.result(chosenModel(request.model, context))
  if (Result.isFailure(choice)) {
    const { failure } = choice
    if (failure.reason !== "not-configured") return yield* failure
    const open = missingOf(fields, found)
    if (open.length === 0)
      return unasked(request, [`${names(asked)}: in doubt, and no model was asked. ${failure.message}`])
    const message = `A model has to look for ${names(open)}. ${failure.message}`
    return yield* new LlmFailure({ reason: failure.reason, message })
  }
  const chosen = choice.success
  const searchable = yield* searchableText(document, fields, dateOrder)
  const examples = shownExamples(asked, request.alike ?? [])
  const { answers, warnings: unshown } = yield* ask(chosen, request, searchable.reading, asked, examples.text)
  const { said, warnings } = yield* merge(searchable, asked, answers)
  const settled = settle(asked, found, said, equations, examples.isTold)
  const isNew = (name: string): boolean => !Equal.equals(settled.found[name]?.value, found[name]?.value)
  const broken = equations.filter(
    (equation) =>
      balances(equation, settled.found) === false && equation.terms.some(({ field }) => isNew(field))
  )
  return {
    found: settled.found,
    warnings: [
      ...unread(document, answers),
      ...unshown,
      ...warnings,
      ...settled.warnings,
      ...broken.map((equation) => brokenSum(equation, settled.found))
    ],
    tokensUsed: tokensOfAll(answers),
    model: answers.at(-1)?.model ?? null
  }
})
