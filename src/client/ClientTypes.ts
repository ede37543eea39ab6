/** The state of an execution. */
export type ExecutionStatus = "pending" | "running" | "completed" | "failed" | "cancelled"

/** Why an execution failed, and in which step. */
export interface ExecutionError {
  readonly code: string
  readonly message: string
  readonly step?: string
}

/** What an execution took. `durationMs` is from start to end, in milliseconds. */
export interface Metrics {
  readonly durationMs: number
  readonly pageCount: number
  readonly creditsUsed: number
}

/** An execution as the API shows it. `Output` is the type of the flow's output; `docflow types <flow>` prints it. */
export interface Execution<Output = unknown> {
  readonly id: string
  readonly flowId: string
  readonly version: string
  readonly status: ExecutionStatus
  readonly createdAt: string
  readonly completedAt?: string
  readonly cancelledAt?: string
  readonly progress?: { readonly step: string; readonly percentage: number }
  readonly output?: Output
  readonly error?: ExecutionError
  readonly metrics?: Metrics
  readonly artifacts?: { readonly [path: string]: unknown }
  readonly metadata?: { readonly [name: string]: unknown }
  /** With `include: ["corrections"]`. */
  readonly corrections?: Corrections<Output>
  /** On a replay: the execution that it continues. */
  readonly replayOf?: string
  /** On a replay: the steps whose results were reused. */
  readonly reusedSteps?: ReadonlyArray<string>
}

/** A flow in a list. */
export interface FlowItem {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly version: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** One version of a flow in full. */
export interface FlowDetail extends FlowItem {
  readonly versions: ReadonlyArray<string>
  readonly schema: {
    readonly input: { readonly [name: string]: unknown }
    readonly output: { readonly [name: string]: unknown }
  }
  readonly config: {
    readonly supportedFormats: ReadonlyArray<string>
    readonly maxFileSizeMB: number
    readonly maxPages: number
    readonly estimatedCreditsPerPage: number
  }
}

/** A page of flows. */
export interface FlowPage {
  readonly flows: ReadonlyArray<FlowItem>
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** Filters of `listExecutions`; all of them apply. */
export interface ExecutionFilter {
  readonly status?: Execution["status"]
  readonly flowId?: string
  /** Created after this moment, such as `2026-11-20` or `2026-11-20T09:30:00Z`. */
  readonly createdAfter?: string
  /** Created before this moment. */
  readonly createdBefore?: string
  /** Members of the metadata and their values: a string, or another value as JSON. Up to 10. */
  readonly metadata?: { readonly [key: string]: string }
}

/** A page of executions, newest first, without their outputs. */
export interface ExecutionPage {
  readonly executions: ReadonlyArray<Execution>
  readonly limit: number
  /** Where the next page begins; null on the last. */
  readonly nextCursor: string | null
}

/** What a webhook reports: an end of the execution, or that somebody corrected or confirmed values of it. */
export type WebhookEvent =
  "execution.completed" | "execution.failed" | "execution.cancelled" | "corrections.saved"

/** A document of a run; `documentOf` makes one from bytes. */
export interface DocumentInput {
  readonly base64: string
  readonly filename?: string
  readonly mimeType?: string
}

/** The body of a run. */
export interface RunRequest {
  readonly version?: string
  readonly wait?: boolean
  /** Time limit of `wait`, in milliseconds. */
  readonly timeout?: number
  readonly idempotencyKey?: string
  readonly webhookUrl?: string
  readonly webhookSecret?: string
  /** The events to send. Default: the three ends of an execution. */
  readonly webhookEvents?: ReadonlyArray<WebhookEvent>
  readonly metadata?: { readonly [name: string]: unknown }
  readonly input: {
    readonly document: DocumentInput
    readonly variables?: { readonly [name: string]: unknown }
  }
}

/** The body of a replay. */
export interface ReplayRequest {
  readonly fromStep?: string
  readonly version?: string
  readonly idempotencyKey?: string
}

/** How the outputs of two executions differ; `path` is a JSON Pointer. */
export interface OutputDiff {
  readonly same: boolean
  readonly differences: ReadonlyArray<{
    readonly path: string
    readonly before?: unknown
    readonly after?: unknown
  }>
  /** Why there is nothing to compare, if an execution has no output. */
  readonly message?: string
}

/** A place on a page: `bbox` is in points of the upright page, from its top left. */
export interface Place {
  readonly page?: number
  readonly bbox?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}

/** The body of `saveCorrections`; each `path` is a JSON Pointer into the output, such as `/lineItems/0/amount`. */
export interface SaveCorrections {
  /** The revision that `corrections` returned; 0 before the first correction. */
  readonly ifMatch: number
  /** If `value` is omitted, the text in `bbox` is used. */
  readonly values?: ReadonlyArray<Place & { readonly path: string; readonly value?: unknown }>
  /** Paths of values that were extracted correctly. */
  readonly confirmed?: ReadonlyArray<string>
  /** Paths of values whose correction or confirmation is withdrawn. */
  readonly reverted?: ReadonlyArray<string>
}

/** A corrected execution as a test set of one case. */
export interface ExportedCase {
  /** File name for `text`. */
  readonly name: string
  /** A test set that `docflow test` reads, as YAML. */
  readonly text: string
  /** The document, if the organization allows that. */
  readonly document?: { readonly filename: string; readonly base64: string }
}

interface Saved {
  readonly path: string
  /** Who saved it: the id of a key, or `session` for the dashboard. */
  readonly by: string
  readonly at: string
}

/** What people corrected of an execution. */
export interface Corrections<Output = unknown> {
  readonly ifMatch: number
  readonly values: ReadonlyArray<Saved & Place & { readonly value: unknown }>
  readonly confirmed: ReadonlyArray<Saved>
  /** Fields in `review` that nobody corrected or confirmed yet. */
  readonly open: number
  /** Which corrections are not learned, and which contradict other checked documents. */
  readonly notes?: ReadonlyArray<{
    readonly path: string
    readonly kind: "not-learned" | "conflict"
    readonly message: string
  }>
  /** What other checked documents of the same layout say of this document. */
  readonly taught?: ReadonlyArray<{
    readonly path: string
    readonly value: unknown
    /** Executions; null for an imported document. */
    readonly documents: ReadonlyArray<string | null>
  }>
  /** The output with the corrected values. */
  readonly output?: Output
}

/** What happened to an execution. Events of its log have an `id`; `progress` has none. */
export interface ClientEvent {
  readonly event: string
  readonly id?: string
  readonly data: { readonly [name: string]: unknown }
}

/** Whether an execution in this state never changes again. */
export const hasEnded = ({ status }: Pick<Execution, "status">): boolean =>
  status !== "pending" && status !== "running"

/** A part of the corrected executions of a flow, run again with a version. */
export interface Backtest {
  readonly version: string
  /** Number of corrected executions of the flow. */
  readonly total: number
  readonly executions: ReadonlyArray<{
    readonly executionId: string
    /** `refused`: there is no replay, and `message` says why. */
    readonly status: "running" | "completed" | "failed" | "refused"
    readonly replayId?: string
    readonly message?: string
    readonly values: ReadonlyArray<{
      readonly path: string
      readonly expected: unknown
      readonly before: unknown
      readonly after: unknown
      readonly verdict: "stayed-right" | "became-right" | "became-wrong" | "stayed-wrong"
    }>
    /** Paths of values that changed, and that nobody corrected or confirmed. */
    readonly new: ReadonlyArray<string>
  }>
  /** `after` of the next part; null if this is the last one. */
  readonly next: string | null
}
