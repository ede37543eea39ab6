import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { pinsOf } from "../../../dsl/model/FlowCalls.ts"
import type { FlowText } from "../../../dsl/check/FlowLibrary.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { json } from "../../sql/Json.ts"
import type { FlowFile } from "./FlowFiles.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

const Row = Schema.Struct({
  flow_id: Schema.String,
  version: Schema.String,
  hash: Schema.String,
  source: Schema.String,
  published_at: Schema.Date,
  pins: Schema.Record(Schema.String, Schema.String)
})

/** A version as it was published. */
export type PublishedVersion = typeof Row.Type

const decode = (rows: ReadonlyArray<unknown>) => decodeRows(Row, rows)

/** Every version that was ever published. */
export const allPublished = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* decode(
    yield* sql`select flow_id, version, hash, source, published_at, pins from flow_versions`
  )
})

/** Publishes a version, unless it has been published; returns the published version. */
export const publish = Effect.fnUntraced(function* (flow: RunnableFlow, source: string) {
  const sql = yield* SqlClient.SqlClient
  const { id, version } = flow.definition
  yield* sql`
    insert into flow_versions (flow_id, version, hash, source, published_at, pins)
    values (${id}, ${version}, ${flow.hash}, ${source}, now(), ${json(sql, pinsOf(flow))})
    on conflict (flow_id, version) do nothing`
  const [row] = yield* decode(
    yield* sql`
      select flow_id, version, hash, source, published_at, pins from flow_versions
      where flow_id = ${id} and version = ${version}`
  )
  return row ?? (yield* Effect.die(new Error("a published version disappeared")))
})

const keyOf = (id: string, version: string): string => `${id} ${version}`

/**
 * The flows that can be called: those of the files, in their published form if there is one, and earlier versions, for
 * flows that are pinned to them.
 */
export const textsOf = (
  files: ReadonlyArray<FlowFile>,
  published: ReadonlyArray<PublishedVersion>
): ReadonlyArray<FlowText> => {
  const byKey = new Map(files.map((file) => [keyOf(file.id, file.version), file]))
  const known = new Set(published.map(({ flow_id, version }) => keyOf(flow_id, version)))
  return [
    ...files.filter(({ id, version }) => !known.has(keyOf(id, version))),
    ...published.map(({ flow_id, pins, source, version }) => {
      const file = byKey.get(keyOf(flow_id, version))
      return {
        id: flow_id,
        version,
        file: file?.file ?? `${flow_id}/${version}.yaml`,
        text: source,
        pins,
        retired: file === undefined
      }
    })
  ]
}
