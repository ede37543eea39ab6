import type { FailureCode } from "../../domain/FailureCode.ts"
import {
  ExecutionFailed,
  ExecutionTimeout,
  InvalidDocument,
  ProviderError,
  ValidationFailed
} from "../../domain/Errors.ts"

/** Where a defect happened, without its message, which may contain text of the document. */
export const describeDefect = (defect: unknown): string =>
  defect instanceof Error
    ? [defect.name, ...(defect.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))].join("\n")
    : typeof defect

const classes = {
  EXECUTION_FAILED: ExecutionFailed,
  PROVIDER_ERROR: ProviderError,
  EXECUTION_TIMEOUT: ExecutionTimeout,
  VALIDATION_ERROR: ValidationFailed,
  INVALID_DOCUMENT: InvalidDocument
} as const satisfies { readonly [Code in FailureCode]: unknown }

/** An error with which a flow ends: the error of its execution. */
export type FlowFailure = InstanceType<(typeof classes)[FailureCode]>

/** The error of a code. */
export const flowFailure = (
  code: FailureCode,
  fields: { readonly message: string; readonly step?: string; readonly findings?: unknown }
): FlowFailure => new classes[code](fields)

const all: ReadonlyArray<new (...parameters: never) => FlowFailure> = Object.values(classes)

/** Whether an error ends a flow, rather than its runner. */
export const isFlowFailure = (error: unknown): error is FlowFailure =>
  all.some((errorClass) => error instanceof errorClass)

const longestMessage = 4096

/** Truncates a message that is stored, logged and sent in webhooks: it may come from an author or another service. */
export const shortened = (message: string): string =>
  message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 1).toWellFormed()}…`
