import { RE2JS } from "re2js"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import { parseEquation, type Equation } from "../../../extraction/sums/Equation.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { Found } from "../ExtractSource.ts"
import { balances } from "./Balance.ts"

/** A value that earlier sources are less sure of than this is asked about again. */
export const doubtful = 0.5

/** Whether a value is what the field's pattern picks out of one of the texts that it is in. */
export const fitsPattern = (
  field: Field,
  value: unknown,
  texts: ReadonlyArray<string | undefined>
): boolean => {
  // Dates and amounts are normalised: their pattern was for the words they were read from.
  if (field.pattern === undefined || typeof value !== "string" || field.type === "date") return true
  const expression = RE2JS.compile(field.pattern)
  return [value, ...texts].some((text) => {
    const matcher = expression.matcher(text ?? "")
    while (matcher.find()) {
      const picked = matcher.groupCount() > 0 ? (matcher.group(1) ?? matcher.group(0)) : matcher.group(0)
      if (picked === value) return true
      if (matcher.group(0) === "") return false
    }
    return false
  })
}

const isDoubtful = (field: Field, evidence: FieldEvidence | undefined): boolean =>
  evidence === undefined ||
  evidence.status === "missing" ||
  evidence.confidence < doubtful ||
  (field.grounded && evidence.status === "inferred") ||
  !fitsPattern(field, evidence.value, [evidence.text])

/** What invoice data says and no page denies: allowances keep its sums from coming out without anything being wrong. */
const isSureData = (evidence: FieldEvidence | undefined): boolean =>
  evidence?.by === "embedded" && evidence.confidence > 0.9

/** The equations of a step. */
export const equationsOf = (relations: ReadonlyArray<string>): ReadonlyArray<Equation> =>
  relations.flatMap((text) => parseEquation(text) ?? [])

/**
 * The fields that a model is asked for: those that are missing, that earlier sources are not sure of, that do not fit
 * their pattern, and all of a sum that does not come out.
 */
export const doubts = (
  fields: ReadonlyArray<Field>,
  found: Found,
  equations: ReadonlyArray<Equation>
): ReadonlyArray<Field> => {
  const unbalanced = new Set(
    equations
      .filter((equation) => balances(equation, found) === false)
      .flatMap(({ terms }) => terms.map(({ field }) => field))
  )
  return fields.filter((field) => {
    const evidence = found[field.name]
    return (unbalanced.has(field.name) && !isSureData(evidence)) || isDoubtful(field, evidence)
  })
}
