import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Delivery } from "../../../src/domain/Delivery.ts"
import type { Environment } from "../../../src/domain/Organization.ts"
import { type End, Outcome } from "../../../src/engine/journal/Outcome.ts"
import { ExecutionWrites } from "../../../src/engine/journal/ExecutionWrites.ts"
import { Signals } from "../../../src/engine/signals/Signals.ts"
import { layerEmptyStore } from "../../support/EmptyStore.ts"
import { ReportedCorrections } from "../../../src/services/webhooks/ReportedCorrections.ts"
import { Webhooks } from "../../../src/services/webhooks/Webhooks.ts"
import * as OutboundHttp from "../../../src/providers/outbound/OutboundHttp.ts"
import * as Deliverer from "../../../src/services/webhooks/Deliverer.ts"
import { DeliveryQueue } from "../../../src/engine/journal/DeliveryQueue.ts"
import { Audit } from "../../../src/services/storage/Audit.ts"
import { DeliveryStore } from "../../../src/services/webhooks/DeliveryStore.ts"
import { SealedSecrets } from "../../../src/services/storage/SealedSecrets.ts"

const secrets = SealedSecrets.layer(Redacted.make("the installation's own secret"))

// Nobody waits for executions here, so nothing looks for them every two seconds of 74 hours.
const quietSignals = Layer.mock(Signals)({ announceEnd: () => Effect.void })

// Nothing is corrected here.
const corrections = Layer.mock(ReportedCorrections)({})

const signals = Layer.mergeAll(quietSignals, corrections, DeliveryQueue.layer)

/** What ends executions and logs deliveries over a database, without a deliverer. */
export const layerOver = <E, R>(database: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Layer.mergeAll(Webhooks.layer, Outcome.layer, DeliveryStore.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(secrets, Audit.layer, ExecutionWrites.layer)),
    Layer.provideMerge(signals),
    Layer.provideMerge(database),
    Layer.provideMerge(Layer.merge(NodeCrypto.layer, NodeServices.layer))
  )

/** The same over an embedded database. */
export const layerIdle = layerOver(layerEmptyStore)

const layerOf = (deliverer: typeof Deliverer.layer) =>
  deliverer.pipe(Layer.provide(OutboundHttp.layer), Layer.provideMerge(layerIdle))

/** The same with a deliverer. */
export const layer = layerOf(Deliverer.layer)

/** The same for tests of days: the deliverer wakes only when an attempt is due. */
export const layerOfDays = layerOf(Deliverer.layerWith(Duration.days(2)))

interface Ended {
  readonly url: string
  readonly secret?: string
  readonly environment?: Environment
  readonly end?: End
  readonly metadata?: string
  readonly organization?: string
}

/** Puts a running execution into the database, without ending it. */
export const runningExecution = Effect.fnUntraced(function* (run: Ended) {
  const sql = yield* SqlClient.SqlClient
  const id = `exec_${yield* (yield* SecureRandom.SecureRandom).ulid}`
  const organization = run.organization ?? "org_test"
  const now = yield* DateTime.nowAsDate
  yield* sql`insert into organizations (id, name, plan) values (${organization}, 'test', 'pro') on conflict do nothing`
  const sealed = yield* (yield* SealedSecrets).seal(run.secret)
  yield* sql`
    insert into executions
      (id, organization_id, environment, flow_id, version, status, created_at, variables, metadata, page_count,
       step_count, webhook_url, webhook_secret)
    values
      (${id}, ${organization}, ${run.environment ?? "test"}, 'text', '1.0.0', 'running', ${now}, '{}',
       ${run.metadata ?? null}::text::json, 1, 1, ${run.url}, decode(${sealed ?? null}, 'base64'))`
  return id
})

/** Ends an execution that wants a webhook, as the engine does. */
export const endedExecution = Effect.fnUntraced(function* (run: Ended) {
  const id = yield* runningExecution(run)
  yield* (yield* Outcome).end(id, run.end ?? { status: "completed", output: { text: "hello" } })
  return id
})

/** The one delivery of an execution. */
export const deliveryOf = Effect.fnUntraced(function* (executionId: string) {
  const [delivery] = yield* (yield* Webhooks).deliveries(executionId)
  return delivery ?? (yield* Effect.die(`no delivery for ${executionId}`))
})

/** Waits in real time, whatever the clock of the test says, until the delivery of an execution is as expected. */
export const awaitDelivery = (executionId: string, expected: (delivery: Delivery) => boolean) =>
  Effect.gen(function* () {
    while (true) {
      const delivery = yield* deliveryOf(executionId)
      if (expected(delivery)) return delivery
      yield* shortly
    }
  }).pipe(inTime)

/** Waits in real time until something holds. */
export const until = (holds: () => boolean) =>
  Effect.gen(function* () {
    while (!holds()) yield* shortly
  }).pipe(inTime)

const shortly = TestClock.withLive(Effect.sleep("5 millis"))

const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    effect,
    TestClock.withLive(Effect.andThen(Effect.sleep("100 seconds"), Effect.die("it never happened")))
  )

/** Waits until a number of attempts was made. */
export const attempts =
  (count: number) =>
  (delivery: Delivery): boolean =>
    delivery.attempts.length >= count

/** Moves the clock of the test to when the next attempt is due. */
export const untilDue = Effect.fnUntraced(function* (delivery: Delivery) {
  const at = DateTime.toEpochMillis(DateTime.makeUnsafe(delivery.nextAttemptAt ?? 0))
  yield* TestClock.adjust(Math.max(0, at - (yield* Clock.currentTimeMillis)))
})
