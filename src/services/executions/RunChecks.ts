import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { DocumentReader } from "../../document/DocumentReader.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import type { ReceivedRun, RunRequest } from "../../domain/RunRequest.ts"
import { makeExecutionIds } from "../../engine/placement/ExecutionIds.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { type Asking, KnownAllowances } from "../../engine/placement/KnownAllowances.ts"
import { Occupancy } from "../../engine/placement/Occupancy.ts"
import { Flows } from "../flows/Flows.ts"
import { checkWebhook } from "../webhooks/CheckWebhook.ts"
import { WebhookSecrets } from "../webhooks/WebhookSecrets.ts"
import type { CheckedRun } from "./Acceptance.ts"
import { checkPlan, checkVariables, openDocument, rulesFor } from "./CheckDocument.ts"
import { checkDeclared, decodeDocument, type SentDocument } from "./DecodeDocument.ts"
import * as Idempotency from "./Idempotency.ts"
import { concurrencyOf, countUnfinished, tooManyAtOnce } from "./NewExecution.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"

/**
 * The fingerprint by which two run requests are the same: the flow, the requested version, the input with the
 * document's hash, the metadata and the webhook, but not the wait. The order of members does not matter.
 */
const fingerprintOf = (flowId: string, request: RunRequest, documentHash: string): string => {
  const { base64: _, ...document } = request.input.document
  return hash(
    "sha256",
    canonicalJson({
      flowId,
      version: request.version,
      document: { ...document, hash: documentHash },
      variables: request.input.variables,
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      webhookSecret: request.webhookSecret,
      webhookEvents: request.webhookEvents
    })
  )
}

/** Whether the first step of a flow reads a document. */
const beginsWithReading = ({ steps: [first] }: RunnableFlow): boolean =>
  first?.action === "uses" && first.kind.readsDocument === true

/** The credits that a run costs. */
const costOf = ({ environment }: Caller, { definition: { credits } }: RunnableFlow, pages: number): number =>
  environment === "test" ? 0 : credits.base + credits.perPage * pages

/** The SHA-256 of the document, by which it is stored, and the fingerprint of the request. */
const hashesOf = (flowId: string, request: ReceivedRun, { bytes }: SentDocument) => {
  const blob = hash("sha256", bytes)
  return { blob, fingerprint: fingerprintOf(flowId, request, blob) }
}

/**
 * Makes the checks of a run before it is accepted, in the order that callers are promised; they return the execution of an
 * earlier request with the same idempotency key, if there is one. `hasTwin` tells whether another request with that key is
 * being checked or accepted. A run of an organization that is known to be full is refused before its document is opened. From then
 * on, a run counts as `asking`, until the caller of this ends that.
 */
export const makeRunChecks = Effect.gen(function* () {
  const { newId, startsSoonHere } = yield* makeExecutionIds
  const flows = yield* Flows
  const allowances = yield* KnownAllowances
  const occupancy = yield* Occupancy
  const secrets = yield* WebhookSecrets
  const sql = yield* SqlClient.SqlClient
  const reader = yield* DocumentReader
  const scope = yield* Effect.scope

  /** Counts the unfinished executions of a full organization now and then; its runs do not wait for that. */
  const lookUp = Effect.fnUntraced(function* (caller: Caller, now: number) {
    if (!occupancy.isDue(caller, now)) return
    yield* countUnfinished(caller).pipe(
      Effect.flatMap((unfinished) =>
        Effect.map(Clock.currentTimeMillis, (then) => {
          allowances.counted(caller, unfinished)
          occupancy.counted(caller, unfinished, then)
        })
      ),
      Effect.provideService(SqlClient.SqlClient, sql),
      // The next refusal looks again.
      Effect.ignore,
      Effect.forkIn(scope)
    )
  })

  const isFull = Effect.fnUntraced(function* (caller: Caller) {
    const now = yield* Clock.currentTimeMillis
    if (!occupancy.isFull(caller, concurrencyOf(caller), now)) return false
    yield* lookUp(caller, now)
    return true
  })

  /** Lets a run ask the database. A place may just have been taken by the same request, so one with a key always may. */
  const enter = Effect.fnUntraced(function* (caller: Caller, { idempotencyKey }: ReceivedRun) {
    const now = yield* Clock.currentTimeMillis
    const limit = concurrencyOf(caller)
    const entry = occupancy.enter(caller, limit, now, allowances.areUsedUp(caller, limit))
    if (entry !== undefined) return entry
    if (idempotencyKey !== undefined) return occupancy.ask(caller)
    yield* lookUp(caller, now)
    return yield* tooManyAtOnce(limit)
  })

  const earlierRun = (caller: Caller, request: ReceivedRun, fingerprint: string) =>
    Effect.provideService(Idempotency.find(caller, request, fingerprint), SqlClient.SqlClient, sql)

  return Effect.fnUntraced(function* (
    caller: Caller,
    flowId: string,
    request: ReceivedRun,
    draft: RunnableFlow | undefined,
    hasTwin: boolean,
    asking: Asking
  ) {
    yield* checkWebhook(request, caller.environment)
    const document = decodeDocument(request)
    const known = request.idempotencyKey === undefined ? undefined : hashesOf(flowId, request, document)
    // Known before the key is looked up: an execution that made it full is found.
    const full = !hasTwin && known !== undefined && (yield* isFull(caller))
    const earlier = known === undefined ? undefined : yield* earlierRun(caller, request, known.fingerprint)
    if (earlier !== undefined) return earlier
    const flow = draft ?? (yield* flows.resolve(flowId, request.version))
    yield* checkPlan(flow, caller)
    const variables = yield* checkVariables(flow, request.input.variables ?? {})
    const rules = rulesFor(flow, caller)
    yield* checkDeclared(document, rules)
    if (full) return yield* tooManyAtOnce(concurrencyOf(caller))
    const entry = yield* enter(caller, request)
    // A run with a key may be the repetition of another one.
    if (known === undefined) asking.begin()
    // What a run that is refused because its organization is full does not need.
    const { blob, fingerprint } = known ?? hashesOf(flowId, request, document)
    const { executionId, ref } = yield* Effect.onError(
      Effect.gen(function* () {
        const executionId = yield* newId(caller.organizationId)
        const isReadNext = beginsWithReading(flow) && startsSoonHere(executionId, caller.organizationId)
        // Who has no credits must not keep readers busy that others wait for.
        const isSure = allowances.haveCredits(caller, costOf(caller, flow, 1))
        const readAhead = isReadNext ? (isSure ? "sure" : "idle") : undefined
        const opened = openDocument(document, blob, rules, readAhead)
        return { executionId, ref: yield* Effect.provideService(opened, DocumentReader, reader) }
      }),
      () => Effect.sync(() => occupancy.left(caller, entry))
    )
    const { version } = flow.definition
    const run: CheckedRun = {
      executionId,
      caller,
      request,
      fingerprint,
      flowId,
      version,
      stepCount: flow.steps.length,
      document: ref,
      bytes: document.bytes,
      entry,
      asking,
      variables,
      cost: costOf(caller, flow, ref.pageCount),
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      webhookSecret: yield* secrets.seal(request.webhookSecret),
      webhookEvents: request.webhookEvents,
      requestId: undefined
    }
    return run
  })
})
