import { Predicate } from "effect"
import type { StepRecord } from "../../engine/StepRecord.ts"

/** What each finished step made, under its path, with how it went. */
export const artifactsOf = (records: ReadonlyArray<StepRecord>): { readonly [path: string]: unknown } =>
  Object.fromEntries(records.map((record) => [record.path, artifactOf(record)]))

const artifactOf = (record: StepRecord) => ({
  ...named(record),
  status: record.status,
  startedAt: record.startedAt.toISOString(),
  durationMs: record.durationMs,
  attempts: record.attempts,
  ...(record.error === undefined ? {} : { error: record.error })
})

/** The API calls what `parse` makes `documentIR`; its text is in there. Other outputs are shown as they are. */
const named = ({ kind, output }: StepRecord): { readonly [name: string]: unknown } => {
  if (output === null || output === undefined) return {}
  if (!Predicate.isObject(output)) return { value: output }
  if (kind !== "parse") return { ...output }
  const { document, pageCount, wordCount } = { document: undefined, pageCount: 0, wordCount: 0, ...output }
  return { pageCount, wordCount, documentIR: document }
}
