import { Clock, Context, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { type Asking, KnownAllowances } from "../../engine/placement/KnownAllowances.ts"
import { type Entry, Occupancy } from "../../engine/placement/Occupancy.ts"
import { Acceptances } from "./Acceptances.ts"
import * as Idempotency from "./Idempotency.ts"
import {
  type Accepted,
  checkAllowance,
  concurrencyOf,
  createExecution,
  type NewExecution
} from "./NewExecution.ts"

/** A run after all checks that need no database. */
export interface CheckedRun extends NewExecution {
  readonly bytes: Uint8Array
  readonly entry: Entry
  readonly asking: Asking
}

/** Documents up to this size, in bytes, are stored without a look-up of the limits if those are far away. */
const small = 64 * 1024

/** How runs are accepted. The services are added one by one: to merge two contexts copies all services of both, for each run. */
export const makeAcceptance = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const occupancy = yield* Occupancy
  const allowances = yield* KnownAllowances
  const acceptances = yield* Acceptances
  return (run: CheckedRun) =>
    Effect.updateContext(accept(run), (context: Context.Context<never>) =>
      context.pipe(
        Context.add(SqlClient.SqlClient, sql),
        Context.add(BlobUses, uses),
        Context.add(Occupancy, occupancy),
        Context.add(KnownAllowances, allowances),
        Context.add(Acceptances, acceptances)
      )
    )
})

/**
 * Accepts a run. A small document is stored in the same statement, if the database stores blobs; another before it, which may
 * take long, so that nothing slow happens while the organization's row is locked. Nothing is stored for a refused run, unless
 * others used up the limits in between; then its document is removed again.
 */
export const accept = Effect.fnUntraced(function* (run: CheckedRun) {
  const { asking, caller, entry } = run
  const allowances = yield* KnownAllowances
  const occupancy = yield* Occupancy
  return yield* Effect.onExit(acceptRun(run), (exit) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      asking.end()
      if (Exit.isSuccess(exit) && exit.value._tag === "New") {
        allowances.accepted(caller, exit.value.executionId, exit.value.credits)
        return occupancy.accepted(caller, entry)
      }
      const refusal = Option.getOrUndefined(Exit.findErrorOption(exit))
      if (refusal !== undefined) allowances.refused(caller)
      return refusal?._tag === "CONCURRENT_LIMIT"
        ? occupancy.refused(caller, concurrencyOf(caller), entry, now)
        : occupancy.left(caller, entry)
    })
  )
})

const acceptRun = Effect.fnUntraced(function* (run: CheckedRun) {
  const allowances = yield* KnownAllowances
  const uses = yield* BlobUses
  const { send } = yield* Acceptances
  const isSmall = run.bytes.length <= small
  if (isSmall && uses.inDatabase) return yield* createExecution(run, "execution.run", send, run.bytes)
  const { blob } = run.document
  const storing = uses.storing(blob, run.bytes, createExecution(run, "execution.run", send))
  const isSure = allowances.haveRoom(run.caller, run.cost, concurrencyOf(run.caller))
  if (isSmall && isSure) return yield* storing
  const earlier = yield* checkAllowance(run).pipe(
    Effect.as(undefined),
    // The same request may just have taken the last slot: then it is answered with that execution.
    Effect.catchTag(["INSUFFICIENT_CREDITS", "CONCURRENT_LIMIT"], (refusal) =>
      Effect.flatMap(Idempotency.find(run.caller, run.request, run.fingerprint), (found) =>
        found === undefined ? Effect.fail(refusal) : Effect.succeed(found)
      )
    )
  )
  if (earlier !== undefined) return { _tag: "Replayed", executionId: earlier } satisfies Accepted
  return yield* storing
})
