import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import type { Backtest, BacktestExecution } from "../../domain/Backtest.ts"
import type { FlowNotFound, VersionNotFound } from "../../domain/Errors.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { namesOfPointer } from "../../support/JsonPointer.ts"
import { ExecutionCorrections } from "../corrections/ExecutionCorrections.ts"
import { Executions } from "../executions/Executions.ts"
import { Flows } from "../flows/Flows.ts"
import type { PageFailure } from "../pages/PageViews.ts"
import { diffOutputs, Replays } from "../replays/Replays.ts"
import { compare } from "./RunCase.ts"
import { expectation } from "./ExportedCases.ts"
import { valueAt } from "./OutputPath.ts"

/** The part of the corrected executions to run again. */
interface Wanted {
  readonly version: string | undefined
  /** Executions after this one, in the order of their ids. */
  readonly after: string
  readonly limit: number
}

const Row = Schema.Struct({ id: Schema.String, total: Schema.Int })

const isJson = Schema.is(Schema.Json)

const verdictOf = (before: boolean, after: boolean) =>
  after
    ? before
      ? ("stayed-right" as const)
      : ("became-right" as const)
    : before
      ? ("became-wrong" as const)
      : ("stayed-wrong" as const)

const without = (executionId: string) => ({ executionId, values: [], new: [] })

/** Backtests: the corrections of a flow are the test set of its next version. */
export class Backtests extends Context.Service<
  Backtests,
  {
    /**
     * Runs a part of the corrected executions again with a version, without webhooks. Within 24 hours, the same request
     * continues with the same replays.
     */
    run(
      caller: Caller,
      flowId: string,
      wanted: Wanted
    ): Effect.Effect<
      Backtest,
      BlobStoreFailure | FlowNotFound | PageFailure | SqlError.SqlError | VersionNotFound
    >
  }
>()("docflow/Backtests") {
  static readonly layer = Layer.effect(
    Backtests,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const corrections = yield* ExecutionCorrections
      const executions = yield* Executions
      const flows = yield* Flows
      const replays = yield* Replays

      /** The values of both versions, and what a person said. */
      const judged = Effect.fnUntraced(function* (caller: Caller, executionId: string, replayId: string) {
        const saved = yield* corrections.getByPath(caller, executionId)
        const { output: before } = yield* executions.get(caller, executionId)
        const { output: after } = yield* executions.get(caller, replayId)
        const paths = [...saved.values, ...saved.confirmed].map(({ path }) => path)
        const values = paths.map((path) => {
          const at = (output: unknown) => valueAt(output, namesOfPointer(path)) ?? null
          const expected = at(saved.output)
          const wanted = expectation(expected)
          const isRight = (value: unknown) => isJson(wanted) && compare(value, wanted) === "right"
          const verdict = verdictOf(isRight(at(before)), isRight(at(after)))
          return { path, expected, before: at(before), after: at(after), verdict }
        })
        const changed = (yield* diffOutputs(before, after)).differences.map(({ path }) => path)
        const isChecked = (path: string) =>
          paths.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`))
        return { values, new: changed.filter((path) => !isChecked(path)) }
      })

      const one = Effect.fnUntraced(
        function* (caller: Caller, executionId: string, flow: RunnableFlow) {
          const { version } = flow.definition
          const request = { version, idempotencyKey: `backtest ${executionId} ${version}` }
          // As a draft, the replay sends no webhook.
          const { executionId: replayId } = yield* replays.replay(
            caller,
            executionId,
            request,
            undefined,
            flow
          )
          const { error, status } = yield* executions.get(caller, replayId)
          const replay = { ...without(executionId), replayId }
          if (status === "pending" || status === "running") return { ...replay, status: "running" as const }
          return status === "completed"
            ? { ...replay, ...(yield* judged(caller, executionId, replayId)), status }
            : { ...replay, status: "failed" as const, message: error?.message ?? `The replay was ${status}` }
        },
        (effect, _caller, executionId) =>
          Effect.catchTag(
            effect,
            [
              "INVALID_DOCUMENT",
              "CONCURRENT_LIMIT",
              "INSUFFICIENT_CREDITS",
              "MISSING_REQUIRED_FIELD",
              "SUBSCRIPTION_REQUIRED",
              "VALIDATION_ERROR"
            ],
            ({ message }) => Effect.succeed({ ...without(executionId), status: "refused" as const, message })
          )
      )

      const run = Effect.fn("Backtests.run")(function* (
        caller: Caller,
        flowId: string,
        { after, limit, version }: Wanted
      ) {
        const flow = yield* flows.resolve(flowId, version)
        const { environment, organizationId } = caller
        const corrected = sql`
          from corrections c join executions e on e.id = c.execution_id
          where e.organization_id = ${organizationId} and e.environment = ${environment} and e.flow_id = ${flowId}
            and e.status = 'completed' and e.erased_at is null and json_array_length(c.fields::json) > 0`
        const rows = yield* decodeRows(
          Row,
          yield* sql`
            select e.id, (select count(*)::int ${corrected}) as total ${corrected} and e.id > ${after}
            order by e.id limit ${limit}`
        )
        const list: ReadonlyArray<BacktestExecution> = yield* Effect.forEach(rows, ({ id }) =>
          one(caller, id, flow)
        )
        return {
          version: flow.definition.version,
          total: rows[0]?.total ?? 0,
          executions: list,
          next: rows.length < limit ? null : (rows.at(-1)?.id ?? null)
        }
      })

      return Backtests.of({ run })
    })
  )
}
