import { Array, Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { ExecutionNotFound } from "../../domain/Errors.ts"
import { ListedExecution } from "../../domain/Execution.ts"
import { Environment } from "../../domain/Organization.ts"
import { executionColumns, executionsFrom, outlinedColumns } from "../../engine/journal/ExecutionRow.ts"
import { Journal } from "../../engine/journal/Journal.ts"
import { StepKinds } from "../../engine/program/StepKinds.ts"
import { artifactsOf } from "./Artifacts.ts"
import { type ExecutionFilter, matching } from "./ExecutionFilter.ts"
import { outputFields } from "./OutputFields.ts"
import { inSpan } from "../../support/InSpan.ts"
import { makeBatches } from "../../sql/Batches.ts"
import { someCounted } from "../../sql/SomeCounted.ts"
import { json } from "../../sql/Json.ts"
import { makeReading } from "../../sql/ReadingPlaces.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

const File = ListedExecution.mapFields(Struct.pick(["environment", "filename"]))

interface Wanted {
  readonly id: string
  readonly organization: string
  readonly environment: string
}

/** Rows may be large: the size of an item is set so that a statement reads 16 of them. */
const charactersOfRow = 64 * 1024

/** Finds these columns of executions by their ids, for callers that may see them. Concurrent callers share statements. */
const makeExecutionRows = Effect.fnUntraced(function* (named: string) {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(named)
  const batches = yield* makeBatches<Wanted, { readonly row: unknown }>({
    statement: (items) =>
      Effect.map(
        sql<{ n: number }>`
          select wanted.n, found.*
          from json_to_recordset(${json(
            sql,
            items.map((item, n) => ({ n, ...item }))
          )}) as wanted(n int, id text, organization text, environment text)
          cross join lateral (
            select ${columns} from executions
            where executions.id = wanted.id and organization_id = wanted.organization
              and executions.environment = wanted.environment
            limit 1
          ) found`,
        (rows) => {
          const found = new Map(rows.map((row) => [row.n, row]))
          return items.map((_, n) => ({ row: found.get(n) }))
        }
      ),
    keyOf: ({ id }) => id,
    sizeOf: () => charactersOfRow
  })
  return (id: string, { environment, organizationId }: Caller) =>
    Effect.map(batches.send({ id, organization: organizationId, environment }), ({ row }) => row)
})

/** What is read of an execution. */
export interface Include {
  /** The output; read unless this is false. */
  readonly output?: false
  /** `outlined`: without the pages of documents, which take long to read. */
  readonly artifacts?: boolean | "outlined"
  /** The confidence, status and place of every leaf of the output. */
  readonly fields?: boolean
  readonly metrics?: boolean
}

/** The error for an execution that does not exist, or that the caller may not see. */
export const executionNotFound = (executionId: string) =>
  new ExecutionNotFound({ message: `Execution not found: ${executionId}` })

/** Reads executions: one that a caller may see, or all of an organization. */
export const makeExecutionReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const kinds = yield* StepKinds
  const journal = yield* Journal
  const reading = yield* makeReading
  const columns = sql.literal(executionColumns)
  const outlined = sql.literal(outlinedColumns)
  const wholeRow = yield* makeExecutionRows(executionColumns)
  const outlinedRow = yield* makeExecutionRows(outlinedColumns)

  const artifactsFor = Effect.fnUntraced(function* (executionId: string, whole: boolean) {
    if (whole) return artifactsOf(kinds, yield* journal.records(executionId))
    const outlines = yield* journal.outlines(executionId)
    return artifactsOf(
      kinds,
      outlines.map(({ record }) => record)
    )
  })

  const get = Effect.fnUntraced(function* (caller: Caller, executionId: string, include: Include = {}) {
    // PostgreSQL cannot compare such an id.
    if (executionId.includes("\u0000")) return yield* executionNotFound(executionId)
    const rowOf = include.output === false ? outlinedRow : wholeRow
    const row = yield* rowOf(executionId, caller)
    const [execution] = row === undefined ? [] : yield* executionsFrom([row], include.metrics)
    if (execution === undefined) return yield* executionNotFound(executionId)
    const { artifacts: asked = false, fields = false } = include
    if (asked === false && !fields) return execution
    const artifacts = yield* artifactsFor(executionId, asked === true)
    const withFields =
      fields && execution.output !== undefined
        ? { ...execution, fields: outputFields(execution.output, artifacts) }
        : execution
    return asked === false ? withFields : { ...withFields, artifacts }
  }, inSpan("Executions.get"))

  const list = Effect.fn("Executions.list")(
    function* (
      organizationId: string,
      filter: ExecutionFilter,
      { output = true }: { readonly output?: boolean } = {}
    ) {
      const wanted = matching(sql, organizationId, filter)
      const { environment, limit, offset } = filter
      const environments = environment === undefined ? Environment.literals : [environment]
      const newest = environments.map(
        (one) => sql`(
        select id, created_at from executions where ${wanted} and environment = ${one}
        order by created_at desc, id desc limit ${offset + limit})`
      )
      // The index has the executions of each environment in their order.
      const rows = yield* sql`
      select ${output ? columns : outlined}, environment, document->>'filename' as filename from executions
      where id = any(array(
        select id from (${sql.join(" union all ", false)(newest)}) newest
        order by created_at desc, id desc limit ${limit} offset ${offset}))
      order by created_at desc, id desc`
      const total = yield* someCounted(sql, sql`from executions where ${wanted}`, offset)
      const files = yield* decodeRows(File, rows)
      const executions: ReadonlyArray<ListedExecution> = Array.zipWith(
        yield* executionsFrom(rows),
        files,
        (execution, file) => ({ ...execution, ...file })
      )
      return { executions, total }
    },
    (read, organizationId) => reading(organizationId, read)
  )

  return { get, list }
})
