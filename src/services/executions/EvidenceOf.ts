import { Predicate, Schema } from "effect"
import { FieldEvidence } from "../../domain/Evidence.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"

const Extracted = Schema.Struct({ fields: Schema.Record(Schema.String, FieldEvidence) })
const isExtracted = Schema.is(Extracted)

/** The evidence for every field that the steps extracted; of two fields of one name, the later step's. */
export const evidenceOf = (records: ReadonlyArray<StepRecord>): { readonly [field: string]: FieldEvidence } =>
  Object.assign(
    {},
    ...records.map(({ output }) => (Predicate.isObject(output) && isExtracted(output) ? output.fields : {}))
  )
