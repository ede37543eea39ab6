import { Effect } from "effect"
import { type FieldEvidence, missing } from "../../../domain/Evidence.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { SearchableText } from "../../../extraction/grounding/SearchableText.ts"
import type { Found } from "../ExtractSource.ts"
import { claimOf, rowsOf } from "./ModelAnswers.ts"
import type { ChunkAnswer } from "./Ask.ts"
import { better } from "./Settle.ts"
import { rowsVerdict, verdictOf } from "./Verdict.ts"

const pages = ({ pageNumbers }: ChunkAnswer): string => {
  const [first, last] = [pageNumbers[0], pageNumbers.at(-1)]
  return first === last ? `page ${first}` : `pages ${first}–${last}`
}

/** The best of what the chunks say about a field, with a warning where they say different things. */
const mergeField = (searchable: SearchableText, field: Field, answers: ReadonlyArray<ChunkAnswer>) => {
  const warnings: Array<string> = []
  const said = new Map<unknown, string>()
  let best: FieldEvidence = missing
  for (const answer of answers) {
    const own = claimOf(answer, field, searchable.reading)
    if (own === "nothing") continue
    if (own === "unfit") {
      warnings.push(`${field.name}: the model's value is not of the type ${field.type} and is dropped.`)
      continue
    }
    const verdict = verdictOf(searchable, field, own.claim)
    warnings.push(...verdict.warnings)
    if (verdict.evidence.status === "missing") continue
    best = better(best, verdict.evidence)
    const { value } = own.claim
    if (!said.has(value)) said.set(value, `${String(value)} (${pages(answer)})`)
  }
  if (said.size > 1) {
    warnings.push(
      `${field.name}: the model reads ${[...said.values()].join(", ")}; using ${String(best.value)}.`
    )
  }
  return { evidence: best, warnings }
}

/**
 * What a model said about each field, found in the document: of several chunks the best value, and the rows of all.
 * Lets others run between fields.
 */
export const merge = Effect.fnUntraced(function* (
  searchable: SearchableText,
  fields: ReadonlyArray<Field>,
  answers: ReadonlyArray<ChunkAnswer>
) {
  const found: Record<string, FieldEvidence> = {}
  const warnings: Array<string> = []
  for (const field of fields) {
    yield* Effect.yieldNow
    const rows = answers.flatMap((answer) => rowsOf(answer, field, searchable.reading))
    const verdict =
      field.type === "table"
        ? yield* rowsVerdict(searchable, field, rows)
        : mergeField(searchable, field, answers)
    found[field.name] = verdict.evidence
    warnings.push(...verdict.warnings)
  }
  const said: Found = found
  return { said, warnings }
})
