import { hundredths } from "../../../support/Cents.ts"
import { Equal } from "effect"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Equation } from "../../../extraction/sums/Equation.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { Found } from "../ExtractSource.ts"
import { balances } from "./Balance.ts"

const surest = 0.98
const round = (value: number): number => hundredths(Math.min(surest, value))

const rank = ({ status, confidence }: FieldEvidence): number =>
  (status === "grounded" ? 2 : status === "inferred" ? 1 : 0) + confidence / 10

/** Grounded before inferred, then the surer; the earlier of equals. */
export const better = (a: FieldEvidence, b: FieldEvidence): FieldEvidence => (rank(b) > rank(a) ? b : a)

const plain = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value)

const same = (a: FieldEvidence, b: FieldEvidence): boolean => Equal.equals(plain(a.value), plain(b.value))

/**
 * Two that say the same independently of each other are surer than one: both would have to be wrong. A model is not told
 * what was read before; a value that it was told of a similar document is no second reading.
 */
const agreed = (before: FieldEvidence, after: FieldEvidence): FieldEvidence => {
  const kept = before.status === "grounded" ? before : after
  return { ...kept, confidence: round(1 - (1 - before.confidence) * (1 - after.confidence)) }
}

const mostOpen = 8

/** All ways to choose one of its values for each field. */
function* choices(open: ReadonlyArray<readonly [string, ReadonlyArray<FieldEvidence>]>): Generator<Found> {
  const [first, ...rest] = open
  if (first === undefined) {
    yield {}
    return
  }
  for (const tail of choices(rest)) {
    for (const evidence of first[1]) yield { ...tail, [first[0]]: evidence }
  }
}

const worth = (equations: ReadonlyArray<Equation>, settled: Found, choice: Found): number => {
  const found = { ...settled, ...choice }
  const sums = equations.map((equation) => balances(equation, found))
  const sure = Object.values(choice).reduce(
    (sum, { status, confidence }) => sum + confidence + (status === "grounded" ? 0.5 : 0),
    0
  )
  return sure + sums.reduce((sum, holds) => sum + (holds === true ? 1 : holds === false ? -0.5 : 0), 0)
}

const text = (value: unknown): string => (typeof value === "string" ? `"${value}"` : String(value))

export interface Settled {
  readonly found: Found
  readonly warnings: ReadonlyArray<string>
}

/**
 * Chooses between what was found before and what the model says, so that as many sums as possible come out; then the
 * grounded and the surer. Says where they disagree. What both say is surer, as is what makes a sum come out.
 */
export const settle = (
  fields: ReadonlyArray<Field>,
  before: Found,
  said: Found,
  equations: ReadonlyArray<Equation>,
  isTold: (field: string, value: unknown) => boolean = () => false
): Settled => {
  const settled: Record<string, FieldEvidence> = { ...before }
  const open: Array<readonly [string, ReadonlyArray<FieldEvidence>]> = []
  for (const { name } of fields) {
    const [known, other] = [before[name], said[name]]
    if (other === undefined || other.status === "missing") continue
    if (known === undefined || known.status === "missing") settled[name] = other
    else if (same(known, other))
      settled[name] = isTold(name, other.value) ? better(known, other) : agreed(known, other)
    else {
      settled[name] = better(known, other)
      open.push([name, [other, known]])
    }
  }
  let best: Found = {}
  let most = -Infinity
  for (const choice of choices(open.slice(0, mostOpen))) {
    const value = worth(equations, settled, choice)
    if (value <= most) continue
    most = value
    best = choice
  }
  const found = limited(before, raised(fields, { ...settled, ...best }, equations), equations)
  const warnings = open.flatMap(([name]) => {
    const [known, other] = [before[name]?.value, said[name]?.value]
    return Array.isArray(known)
      ? [`${name}: the model reads other rows than were read before.`]
      : [
          `${name}: ${text(known)} was read before, the model reads ${text(other)}; using ${text(found[name]?.value)}.`
        ]
  })
  return { found, warnings }
}

/** The confidence in a value of a sum that does not come out, where nothing else was known of it. */
const broken = 0.5

/** A sum that does not come out is doubtful whoever says its values: nobody is surer of them than before. */
const limited = (before: Found, found: Found, equations: ReadonlyArray<Equation>): Found => {
  const doubtful = new Set(
    equations
      .filter((equation) => balances(equation, found) === false)
      .flatMap(({ terms }) => terms.map(({ field }) => field))
  )
  return Object.fromEntries(
    Object.entries(found).map(([name, evidence]) => {
      const known = before[name]
      const most = known !== undefined && same(known, evidence) ? Math.max(known.confidence, broken) : broken
      return [
        name,
        doubtful.has(name) && evidence.confidence > most ? { ...evidence, confidence: most } : evidence
      ]
    })
  )
}

const raise = (evidence: FieldEvidence): FieldEvidence => ({
  ...evidence,
  confidence:
    evidence.status === "grounded"
      ? Math.max(evidence.confidence, round(0.5 + evidence.confidence / 2))
      : Math.max(evidence.confidence, 0.45)
})

/** A value of the model that makes a sum come out is surer, though one that appears nowhere stays doubtful. */
const raised = (fields: ReadonlyArray<Field>, found: Found, equations: ReadonlyArray<Equation>): Found => {
  const holding = equations.filter((equation) => balances(equation, found) === true)
  const proven = new Set(holding.flatMap(({ terms }) => terms.map(({ field }) => field)))
  const asked = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(found).map(([name, evidence]) => [
      name,
      asked.has(name) && proven.has(name) && evidence.by === "llm" ? raise(evidence) : evidence
    ])
  )
}
