import { Effect, Result } from "effect"
import type { VariableProblem } from "../../../dsl/model/RunValidators.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import {
  InvalidDocument,
  MissingRequiredField,
  SubscriptionRequired,
  ValidationFailed
} from "../../domain/Errors.ts"
import { planCovers } from "../../domain/Organization.ts"
import { DocumentReader, type ReadAheadWhen } from "../../document/DocumentReader.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import type { DocumentRules, SentDocument } from "./DecodeDocument.ts"
import { defined } from "../../support/Defined.ts"

/** The rules for test keys, whatever the flow allows. */
const testRules = { maxFileSizeMB: 5, maxPages: 10 }

/** The rules for the documents of a caller. */
export const rulesFor = (flow: RunnableFlow, caller: Caller): DocumentRules => {
  const { formats, maxFileSizeMB, maxPages } = flow.definition.document
  const isTest = caller.environment === "test"
  return {
    supportedFormats: formats,
    maxFileSizeMB: isTest ? Math.min(maxFileSizeMB, testRules.maxFileSizeMB) : maxFileSizeMB,
    maxPages: isTest ? Math.min(maxPages, testRules.maxPages) : maxPages
  }
}

/** Refuses a caller whose plan does not cover what the flow requires. */
export const checkPlan = (flow: RunnableFlow, caller: Caller): Effect.Effect<void, SubscriptionRequired> => {
  const required = flow.definition.requires?.plan
  return required === undefined || planCovers(caller.plan, required)
    ? Effect.void
    : new SubscriptionRequired({
        message: `The flow ${flow.definition.id} requires the plan ${required}; the organization has ${caller.plan}`,
        details: { required, plan: caller.plan }
      })
}

/** Validates the run's variables against the flow's input schema and fills in its defaults. */
export const checkVariables = (flow: RunnableFlow, variables: { readonly [name: string]: unknown }) => {
  const judged = flow.validateVariables(variables)
  return Result.isSuccess(judged)
    ? Effect.succeed(judged.success)
    : Effect.fail(variableError(judged.failure))
}

const variableError = (problems: ReadonlyArray<VariableProblem>) => {
  const missing = problems.find((problem) => problem.missing)
  const [first] = missing === undefined ? problems : [missing]
  const details = { field: first?.field ?? "input.variables", reason: first?.reason ?? "not valid", problems }
  return missing === undefined
    ? new ValidationFailed({ message: `Invalid variable: ${details.field} ${details.reason}`, details })
    : new MissingRequiredField({ message: `Missing required variable: ${details.field}`, details })
}

/**
 * Opens the document, whose SHA-256 is `blob` and whose declaration is checked: finds its type and its pages, and refuses bytes that
 * the flow cannot read. `readAhead`: its pages are read next.
 */
export const openDocument = Effect.fnUntraced(function* (
  document: SentDocument,
  blob: string,
  rules: DocumentRules,
  readAhead?: ReadAheadWhen
) {
  const reader = yield* DocumentReader
  const { bytes, declaredType, filename } = document
  const found = yield* Effect.catchTag(
    reader.inspect(bytes, defined({ mimeType: declaredType, filename }), readAhead),
    "UnreadableDocument",
    ({ message }) => invalid(message)
  )
  if (declaredType !== undefined && found.mimeType !== declaredType) {
    return yield* invalid(`The document is ${found.mimeType}, not ${declaredType} as declared`)
  }
  if (!rules.supportedFormats.includes(found.mimeType)) {
    return yield* invalid(`Unsupported document format: ${found.mimeType}`, {
      supported: rules.supportedFormats
    })
  }
  if (found.pageCount > rules.maxPages) {
    return yield* invalid(`The document has ${found.pageCount} pages, at most ${rules.maxPages} are taken`)
  }
  if (found.pageCount < 1) return yield* invalid("The document has no pages")
  const ref: DocumentRef = {
    blob,
    size: bytes.length,
    ...found,
    ...defined({ filename })
  }
  return ref
})

const invalid = (message: string, details: { readonly [name: string]: unknown } = {}) =>
  new InvalidDocument({ message, details: { field: "input.document", ...details } })
