import { DateTime, Effect, Schema, Option, Predicate } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { NotFound } from "../api/AdminParts.ts"
import { operatorOf } from "../domain/ApiKey.ts"
import { DocumentRef } from "../domain/Document.ts"
import { ExecutionError, ExecutionStatus, isFinished } from "../domain/Execution.ts"
import { Environment } from "../domain/Organization.ts"
import { Executions } from "../services/executions/Executions.ts"
import { type PageFailure, PageViews } from "../services/pages/PageViews.ts"
import { Webhooks } from "../services/webhooks/Webhooks.ts"
import { type ExecutionView, FinishedStep, StepFindings } from "./ExecutionView.ts"
import { decodeRows } from "../support/DecodeRows.ts"

const { fields, problems, review, warnings } = StepFindings.fields

const partOf = <A>(schema: Schema.Codec<A>, made: unknown, name: string, none: A): A =>
  Predicate.isObject(made)
    ? Option.getOrElse(Schema.decodeUnknownOption(schema)(made[name]), () => none)
    : none

/**
 * What a person should see of the artifacts, step by step. Findings that `flow`, `forEach` and other outer steps pass
 * on are left out: they are listed at the step that found them.
 */
export const findingsOf = (artifacts: { readonly [path: string]: unknown }): ExecutionView["findings"] =>
  Object.entries(artifacts)
    .filter(([path]) => !Object.keys(artifacts).some((other) => other.startsWith(`${path}.`)))
    .map(([path, made]) => ({
      path,
      fields: partOf(fields, made, "fields", {}),
      warnings: partOf(warnings, made, "warnings", []),
      review: partOf(review, made, "review", []),
      problems: partOf(problems, made, "problems", [])
    }))
    .filter((found) => Object.keys(found.fields).length + found.warnings.length + found.problems.length > 0)
    .toSorted((one, other) => one.path.localeCompare(other.path, "en", { numeric: true }))

interface Placed {
  readonly path: string
  readonly startedAt: string
}

/** Steps in the order in which they started, each followed by the steps inside it. */
export const inTree = <A extends Placed>(steps: ReadonlyArray<A>): ReadonlyArray<A> => {
  const starts = new Map(steps.map(({ path, startedAt }) => [path, startedAt]))
  const compare = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
    const shorter = Math.min(one.length, other.length)
    for (let at = 0; at < shorter; at++) {
      if (one[at] === other[at]) continue
      const [left, right] = [one, other].map((names) => starts.get(names.slice(0, at + 1).join(".")))
      const byTime = left === undefined || right === undefined ? 0 : left.localeCompare(right)
      return byTime || (one[at] ?? "").localeCompare(other[at] ?? "", "en", { numeric: true })
    }
    return one.length - other.length
  }
  return steps.toSorted((one, other) => compare(one.path.split("."), other.path.split(".")))
}

const ExecutionFacts = Schema.Struct({
  organization_id: Schema.String,
  organization_name: Schema.String,
  environment: Environment,
  status: ExecutionStatus,
  created_at: Schema.Date,
  started_at: Schema.NullOr(Schema.Date),
  erased_at: Schema.NullOr(Schema.Date),
  has_output: Schema.Boolean,
  webhook_url: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String),
  document: Schema.NullOr(DocumentRef),
  step_count: Schema.Int
})
type ExecutionFacts = typeof ExecutionFacts.Type

const StepRow = Schema.Struct({
  path: Schema.String,
  kind: Schema.String,
  status: FinishedStep.fields.status,
  started_at: Schema.Date,
  duration_ms: Schema.Finite,
  attempts: Schema.Int,
  error: Schema.NullOr(ExecutionError)
})

/** What the database knows about an execution and the API does not show. */
const factsOf = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<ExecutionFacts, NotFound | SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select e.organization_id, o.name as organization_name, e.environment, e.status, e.created_at, e.started_at,
           e.erased_at, e.webhook_url, e.request_id, e.document, e.step_count,
           e.output is not null as has_output
    from executions e join organizations o on o.id = e.organization_id where e.id = ${id}`
  const [facts] = yield* decodeRows(ExecutionFacts, rows)
  return facts ?? (yield* new NotFound({ message: "Execution not found" }))
})

/** The finished steps without their outputs, which contain the text of the document: this is polled every second. */
const stepsOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select path, kind, status, started_at, duration_ms, attempts, error from step_results
    where execution_id = ${id} order by started_at, path`
  const steps = yield* decodeRows(StepRow, rows)
  return steps.map((step) => ({
    path: step.path,
    kind: step.kind,
    status: step.status,
    startedAt: step.started_at.toISOString(),
    durationMs: step.duration_ms,
    attempts: step.attempts,
    error: step.error
  }))
})

/** What the page shows of the execution itself, from two readings: between them it may end. */
const readTwice = Effect.fnUntraced(function* (id: string) {
  const executions = yield* Executions
  const facts = yield* factsOf(id)
  const caller = operatorOf(facts.organization_id, facts.environment)
  const read = (artifacts: false | "outlined") =>
    executions
      .get(caller, id, { output: false, artifacts, metrics: true })
      .pipe(Effect.catchTag("EXECUTION_NOT_FOUND", ({ message }) => new NotFound({ message })))
  const whole = yield* read(isFinished(facts.status) ? "outlined" : false)
  return { facts, caller, whole, endedBetween: isFinished(whole.status) && !isFinished(facts.status) }
})

/** One execution with everything that its page shows. */
export const readExecution = Effect.fn("Dashboard.readExecution")(function* (id: string) {
  const webhooks = yield* Webhooks
  const pages = yield* PageViews
  // A page that shows the end is not read again, so it must show all that came with the end.
  const { caller, facts, whole } = yield* Effect.repeat(readTwice(id), {
    while: ({ endedBetween }) => endedBetween
  })
  const { artifacts = {}, ...execution } = whole
  const view: ExecutionView = {
    execution,
    organization: { id: facts.organization_id, name: facts.organization_name },
    environment: facts.environment,
    startedAt: facts.started_at?.toISOString() ?? null,
    erasedAt: facts.erased_at?.toISOString() ?? null,
    ageMs: Math.max(0, (yield* DateTime.nowAsDate).getTime() - facts.created_at.getTime()),
    webhookUrl: facts.webhook_url,
    requestId: facts.request_id,
    document: facts.document === null ? null : documentFacts(facts.document),
    hasOutput: facts.status === "completed" && facts.has_output,
    pages:
      facts.document === null || !isFinished(facts.status) ? null : yield* pagesFor(pages.sizes(caller, id)),
    stepCount: facts.step_count,
    steps: inTree(yield* stepsOf(id)),
    findings: findingsOf(artifacts),
    deliveries: yield* Effect.catchTag(webhooks.deliveries(id), "DeliveryNotFound", () => Effect.succeed([]))
  }
  return view
})

/** Nothing for pages that cannot be read: whoever asks for them alone is told why. */
const pagesFor = <A>(sizes: Effect.Effect<A, PageFailure>) => Effect.orElseSucceed(sizes, () => null)

const documentFacts = ({ filename, mimeType, pageCount, size }: DocumentRef) => ({
  filename: filename ?? null,
  mimeType,
  pageCount,
  size
})
