import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sha256 } from "../../support/Sha256.ts"
import { hash } from "node:crypto"
import { DocumentReader } from "../../document/DocumentReader.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import { creditPagesOf } from "../../domain/Document.ts"
import type { ReceivedRun, RunRequest } from "../../domain/RunRequest.ts"
import { makeExecutionIds } from "../../engine/placement/ExecutionIds.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { Acceptances, type NewExecution, refusalOf } from "../admission/Acceptance.ts"
import * as Idempotency from "../admission/Idempotency.ts"
import { Flows } from "../flows/Flows.ts"
import { checkWebhook } from "../webhooks/CheckWebhook.ts"
import { SealedSecrets } from "../storage/SealedSecrets.ts"
import { checkPlan, checkVariables, openDocument, rulesFor } from "./CheckDocument.ts"
import { checkDeclared, decodeDocument, type SentDocument } from "./DecodeDocument.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"

/** A run after all checks that need not be made in the transaction that accepts it. */
export interface CheckedRun extends NewExecution {
  readonly bytes: Uint8Array
}

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
const hashesOf = (flowId: string, request: ReceivedRun, { bytes }: SentDocument) =>
  Effect.map(sha256(bytes), (blob) => ({ blob, fingerprint: fingerprintOf(flowId, request, blob) }))

/**
 * Makes the checks of a run before it is accepted, in the order that callers are promised; they return the execution of an
 * earlier request with the same idempotency key, if there is one. A run that will
 * hardly be accepted is opened only while readers are idle.
 */
export const makeRunChecks = Effect.gen(function* () {
  const { newId, startsSoonHere } = yield* makeExecutionIds
  const flows = yield* Flows
  const { allowanceOf } = yield* Acceptances
  const secrets = yield* SealedSecrets
  const sql = yield* SqlClient.SqlClient
  const reader = yield* DocumentReader

  const earlierRun = (caller: Caller, request: ReceivedRun, fingerprint: string) =>
    Effect.provideService(Idempotency.find(caller, request, fingerprint), SqlClient.SqlClient, sql)

  return Effect.fnUntraced(function* (
    caller: Caller,
    flowId: string,
    request: ReceivedRun,
    draft: RunnableFlow | undefined
  ) {
    yield* checkWebhook(request, caller.environment)
    const document = decodeDocument(request)
    const known =
      request.idempotencyKey === undefined ? undefined : yield* hashesOf(flowId, request, document)
    const earlier = known === undefined ? undefined : yield* earlierRun(caller, request, known.fingerprint)
    if (earlier !== undefined) return earlier
    const flow = draft ?? (yield* flows.resolve(flowId, request.version))
    yield* checkPlan(flow, caller)
    const variables = yield* checkVariables(flow, request.input.variables ?? {})
    const rules = rulesFor(flow, caller)
    yield* checkDeclared(document, rules)
    const { blob, fingerprint } = known ?? (yield* hashesOf(flowId, request, document))
    const allowance = yield* allowanceOf(caller)
    const executionId = yield* newId()
    const isReadNext = beginsWithReading(flow) && startsSoonHere(executionId)
    // A run that will be refused must not keep readers busy that others wait for.
    const isSure = refusalOf(caller, costOf(caller, flow, 1), allowance) === undefined
    const readAhead = isReadNext ? (isSure ? "sure" : "idle") : undefined
    const ref = yield* Effect.provideService(
      openDocument(document, blob, rules, readAhead),
      DocumentReader,
      reader
    )
    const cost = costOf(caller, flow, creditPagesOf(ref))
    const refusal = refusalOf(caller, cost, allowance)
    if (refusal !== undefined) {
      // The same request may just have taken the last place: then it is answered with that execution.
      return (yield* earlierRun(caller, request, fingerprint)) ?? (yield* refusal)
    }
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
      variables,
      cost,
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      webhookSecret: yield* secrets.seal(request.webhookSecret),
      webhookEvents: request.webhookEvents,
      requestId: undefined
    }
    return run
  })
})
