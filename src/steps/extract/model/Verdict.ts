import { hundredths } from "../../../support/Cents.ts"
import { Effect } from "effect"
import { type FieldEvidence, missing } from "../../../domain/Evidence.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import { type Claim, evidenceAt, ground, type Grounded } from "../../../extraction/grounding/Ground.ts"
import { groundRows, type RowClaim } from "../../../extraction/grounding/GroundRows.ts"
import type { SearchableText } from "../../../extraction/grounding/SearchableText.ts"
import { fitsPattern } from "./Doubts.ts"

/** The evidence for a value, and warnings about it. */
export interface Verdict {
  readonly evidence: FieldEvidence
  readonly warnings: ReadonlyArray<string>
}

/** The confidence in a model's value that does not appear in the document. */
const unproven = 0.3

/** The page that a value was read from in its picture: a model says so, nothing in the document does. */
const picturePage = ({ page, pictured }: Pick<Claim, "page" | "pictured">): Pick<FieldEvidence, "page"> =>
  pictured === true && page !== undefined ? { page } : {}

/** More for being in the words it was said to be in, next to a label, and in one place only. */
const groundedConfidence = ({ place, quoted, labelled, places }: Grounded): number =>
  (0.65 + (quoted ? 0.1 : 0) + 0.1 * labelled + (places === 1 ? 0.05 : 0)) * Math.min(1, 0.1 + place.quality)

/** Looks for what a model said about a field; a value that does not fit the field's pattern is left out. */
export const verdictOf = (searchable: SearchableText, field: Field, claim: Claim): Verdict => {
  const found = ground(searchable, field, claim)
  if (!fitsPattern(field, claim.value, [found?.place.text, claim.quote])) {
    return {
      evidence: missing,
      warnings: [`${field.name}: the model's value does not match the pattern and is dropped.`]
    }
  }
  const { value } = claim
  if (found === undefined) {
    const evidence = {
      value,
      confidence: unproven,
      status: "inferred",
      ...picturePage(claim),
      by: "llm"
    } as const
    return { evidence, warnings: [] }
  }
  const evidence: FieldEvidence = {
    value,
    confidence: hundredths(groundedConfidence(found)),
    status: "grounded",
    ...evidenceAt(searchable, found.place),
    text: found.place.text,
    by: "llm"
  }
  return { evidence, warnings: [] }
}

const mostNamed = 5

/** Says which cells appear nowhere: "row 2 amount". */
const absentText = (cells: ReadonlyArray<{ readonly row: number; readonly column: string }>): string => {
  const named = cells.slice(0, mostNamed).map(({ row, column }) => `row ${row + 1} ${column}`)
  return cells.length > mostNamed
    ? `${named.join(", ")} and ${cells.length - mostNamed} more`
    : named.join(", ")
}

/**
 * Looks for the rows that a model returned for a table. A table with a cell that appears nowhere is inferred as a
 * whole; where the field refuses such values, the cells are emptied instead.
 */
export const rowsVerdict = Effect.fnUntraced(function* (
  searchable: SearchableText,
  field: Field,
  claims: ReadonlyArray<RowClaim>
): Effect.fn.Return<Verdict> {
  if (claims.length === 0) return { evidence: missing, warnings: [] }
  const { absent, order, place } = yield* groundRows(searchable, field, claims)
  const isAbsent = new Set(absent.map(({ row, column }) => `${row} ${column}`))
  const rows = order.flatMap((index) => {
    const cells = Object.entries(claims[index]?.row ?? {}).map(([column, value]) => [
      column,
      field.grounded && isAbsent.has(`${index} ${column}`) ? null : value
    ])
    return cells.every(([, value]) => value === null) ? [] : [Object.fromEntries(cells)]
  })
  const warnings =
    absent.length === 0
      ? []
      : [
          `${field.name}: ${absentText(absent)} ${absent.length === 1 ? "does" : "do"} not appear in the row${field.grounded ? " and is dropped" : ""}.`
        ]
  if (rows.length === 0) return { evidence: missing, warnings }
  const firstPictured = claims.find(({ pictured }) => pictured === true)
  const complete = absent.length === 0 || (field.grounded && place !== undefined)
  const cells = claims.reduce((sum, { row }) => sum + Object.keys(row).length, 0)
  return {
    evidence: {
      value: rows,
      confidence: complete ? 0.75 : hundredths(unproven + 0.2 * (1 - absent.length / Math.max(1, cells))),
      status: complete ? "grounded" : "inferred",
      ...(place === undefined ? picturePage(firstPictured ?? {}) : evidenceAt(searchable, place)),
      by: "llm"
    },
    warnings
  }
})
