import { Effect } from "effect"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import { InvalidDocument, ValidationFailed } from "../../domain/Errors.ts"
import { isFinished } from "../../domain/Execution.ts"
import type { ReplayRequest } from "../../domain/Replay.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { checkPlan, checkVariables, rulesFor } from "../executions/CheckDocument.ts"
import { nearest } from "../../../dsl/source/Nearest.ts"
import type { Original } from "./Original.ts"
import { defined } from "../../support/Defined.ts"

/** Refuses to replay an execution that has not ended, because it may still change. */
export const checkEnded = ({ status }: Original): Effect.Effect<void, ValidationFailed> =>
  isFinished(status)
    ? Effect.void
    : new ValidationFailed({
        message: `The execution is ${status}: only a finished execution can be replayed`,
        details: { field: "executionId", reason: `it is ${status}; wait for its end, or cancel it` }
      })

/** Validates the original's input against the version that is to run; returns its variables and document. */
export const checkReplay = Effect.fnUntraced(function* (
  original: Original,
  flow: RunnableFlow,
  request: ReplayRequest,
  caller: Caller
) {
  yield* checkPlan(flow, caller)
  yield* checkFromStep(flow, request.fromStep)
  if (original.document === null) return yield* documentGone
  const variables = yield* checkVariables(flow, original.variables)
  yield* checkDocument(original.document, flow, caller)
  const sameVariables = canonicalJson(variables) === canonicalJson(original.variables)
  return { variables, sameVariables, document: original.document }
})

/** The original's document is no longer stored. */
export const documentGone = new InvalidDocument({
  message: "The document of the execution has been erased: there is nothing to run the flow on",
  details: { field: "executionId", reason: "its document is no longer stored" }
})

const checkFromStep = (flow: RunnableFlow, fromStep: string | undefined) => {
  const steps = flow.steps.map(({ id }) => id)
  if (fromStep === undefined || steps.includes(fromStep)) return Effect.void
  const meant = nearest(fromStep, steps)
  return new ValidationFailed({
    message: `Version ${flow.definition.version} of ${flow.definition.id} has no step "${fromStep.slice(0, 64)}"`,
    details: {
      field: "fromStep",
      reason: `must be one of ${steps.join(", ")}`,
      ...defined({ suggestion: meant })
    }
  })
}

const checkDocument = ({ mimeType, pageCount, size }: DocumentRef, flow: RunnableFlow, caller: Caller) => {
  const { maxFileSizeMB, maxPages, supportedFormats } = rulesFor(flow, caller)
  const { id, version } = flow.definition
  const reason = supportedFormats.includes(mimeType)
    ? pageCount > maxPages
      ? `it has ${pageCount} pages, at most ${maxPages} are taken`
      : size > maxFileSizeMB * 1024 * 1024
        ? `it is larger than ${maxFileSizeMB} MB`
        : undefined
    : `it is ${mimeType}`
  return reason === undefined
    ? Effect.void
    : new InvalidDocument({
        message: `Version ${version} of ${id} does not accept the document: ${reason}`,
        details: { field: "version", reason, supported: supportedFormats }
      })
}
