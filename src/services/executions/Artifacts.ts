import { Predicate, Schema } from "effect"
import type { StepRegistry } from "../../../dsl/model/StepRegistry.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { defined } from "../../support/Defined.ts"
import { FieldEvidence } from "../../domain/Evidence.ts"

const Extracted = Schema.Struct({ fields: Schema.Record(Schema.String, FieldEvidence) })
const isExtracted = Schema.is(Extracted)

/** The evidence for every field that the steps extracted; of two fields of one name, the later step's. */
export const evidenceOf = (records: ReadonlyArray<StepRecord>): { readonly [field: string]: FieldEvidence } =>
  Object.assign(
    {},
    ...records.map(({ output }) => (Predicate.isObject(output) && isExtracted(output) ? output.fields : {}))
  )

/** The output of each finished step, under its path, with how it went. */
export const artifactsOf = (
  { kinds }: StepRegistry<never>,
  records: ReadonlyArray<StepRecord>
): { readonly [path: string]: unknown } => {
  const shown = ({ kind, output, status }: StepRecord): unknown => {
    const known = status === "completed" ? kinds.get(kind) : undefined
    return known?.artifact === undefined ? output : known.artifact(output)
  }
  return Object.fromEntries(records.map((record) => [record.path, artifactOf(record, shown(record))]))
}

const artifactOf = (record: StepRecord, output: unknown) => ({
  ...named(output),
  status: record.status,
  startedAt: record.startedAt.toISOString(),
  durationMs: record.durationMs,
  attempts: record.attempts,
  ...defined({ error: record.error })
})

const named = (output: unknown): { readonly [name: string]: unknown } => {
  if (output === null || output === undefined) return {}
  return Predicate.isObject(output) ? { ...output } : { value: output }
}
