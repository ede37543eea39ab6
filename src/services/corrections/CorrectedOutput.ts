import { Effect, Schema } from "effect"
import { FailureCode } from "../../domain/FailureCode.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import type { Environment } from "../../domain/Organization.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { runFlow } from "../../engine/program/FlowProgram.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { computing } from "./CorrectedRecords.ts"

/** A step that does more than compute would have to run. */
class NotComputable extends Schema.TaggedError<NotComputable>()("NotComputable", {
  step: Schema.String
}) {}

interface Corrected {
  readonly executionId: string
  readonly organizationId: string
  readonly environment: Environment
  readonly document: DocumentRef
  readonly variables: { readonly [name: string]: unknown }
  /** The records of the steps, with the corrected values. */
  readonly records: ReadonlyArray<StepRecord>
  /** The steps whose values were corrected. */
  readonly steps: ReadonlySet<string>
}

/**
 * Computes the output of the flow with corrected values; nothing is read, extracted or requested again. Undefined if it
 * cannot be computed, or violates the flow's schema; then `reason` says why.
 */
export const correctedOutput = (flow: RunnableFlow, corrected: Corrected) => {
  const { document, environment, executionId, organizationId, records, steps, variables } = corrected
  const isAround = (path: string) => [...steps].some((step) => step.startsWith(`${path}.`))
  const runsAgain = ({ kind, path }: StepRecord) => computing.has(kind) || isAround(path)
  const recalled = new Map(
    records.filter((record) => !runsAgain(record)).map((record) => [record.path, record])
  )
  const again = new Set(records.filter(runsAgain).map(({ path }) => path))
  return runFlow<NotComputable>(
    flow,
    { executionId, organizationId, environment, document, variables },
    {
      recall: (path) => recalled.get(path),
      checkpoint: (step) => (again.has(step) ? Effect.void : new NotComputable({ step })),
      record: () => Effect.void,
      progress: () => Effect.void
    }
  ).pipe(
    Effect.map((output) => ({ output, reason: undefined })),
    Effect.catchTag("NotComputable", ({ step }) =>
      Effect.succeed({ output: undefined, reason: `The step ${step} has no result to start from.` })
    ),
    Effect.catchTag(FailureCode.literals, ({ message }) =>
      Effect.succeed({ output: undefined, reason: message })
    )
  )
}
