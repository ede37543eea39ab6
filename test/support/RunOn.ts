import { Effect } from "effect"
import type { CheckedFlow } from "../../dsl/index.ts"
import { type FlowInput, runFlow, type RuntimeHooks } from "../../src/engine/program/FlowProgram.ts"
import type { StepRecord } from "../../src/engine/journal/StepRecord.ts"

const input = (
  variables: { readonly [name: string]: unknown },
  document: Partial<FlowInput["document"]>,
  organizationId: string | null
): FlowInput => ({
  executionId: "exec_1",
  organizationId,
  environment: "test",
  document: { blob: "00", mimeType: "application/pdf", size: 1, pageCount: 1, ...document },
  variables
})

/** The run of a flow by the engine, with a journal in memory, and what it reported. */
export const runOn = (
  flow: CheckedFlow<never>,
  variables: { readonly [name: string]: unknown } = {},
  journal: ReadonlyArray<StepRecord> = [],
  own: Partial<RuntimeHooks<never>> = {},
  document: Partial<FlowInput["document"]> = {},
  organizationId: string | null = null
) => {
  const known = new Map(journal.map((record) => [record.path, record]))
  const records: Array<StepRecord> = []
  const started: Array<string> = []
  const percentages: Array<number> = []
  const note = (percentage: number) => Effect.sync(() => void percentages.push(percentage))
  const hooks: RuntimeHooks<never> = {
    recall: (path) => known.get(path),
    checkpoint: (path, percentage) =>
      Effect.andThen(
        note(percentage),
        Effect.sync(() => void started.push(path))
      ),
    record: (record, percentage) =>
      Effect.andThen(
        note(percentage),
        Effect.sync(() => void records.push(record))
      ),
    progress: (_, percentage) => note(percentage),
    ...own
  }
  const effect = runFlow(flow, input(variables, document, organizationId), hooks)
  return { effect, records, started, percentages }
}
