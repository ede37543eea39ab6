import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Pins, pinsOf } from "../../../dsl/model/FlowCalls.ts"
import { hash } from "node:crypto"
import type { FlowText } from "../../../dsl/check/FlowLibrary.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { json } from "../../sql/Json.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

const Row = Schema.Struct({
  flow_id: Schema.String,
  version: Schema.String,
  hash: Schema.String,
  name: Schema.String,
  description: Schema.String,
  source: Schema.String,
  published_at: Schema.Date,
  pins: Schema.Record(Schema.String, Schema.String)
})

/** A version as it was published. */
export type PublishedVersion = typeof Row.Type

interface Named {
  readonly id: string
  readonly version: string
}

/** The key of a version. */
export const keyOf = ({ id, version }: Named): string => `${id} ${version}`

/** Those of some versions that were published, by key. A source that equals the given text is not sent again. */
export const publishedOf = Effect.fnUntraced(function* (
  versions: ReadonlyArray<Named & { readonly text?: string }>
) {
  if (versions.length === 0) return new Map<string, PublishedVersion>()
  const sql = yield* SqlClient.SqlClient
  const wanted = versions.map(({ id, text = "", version }) => ({ id, version, print: hash("sha256", text) }))
  const rows = yield* decodeRows(
    Row,
    yield* sql`
      select flow_id, v.version, hash, name, description, published_at, pins,
        case when encode(sha256(convert_to(source, 'UTF8')), 'hex') = w.print then '' else source end as source
      from json_to_recordset(${json(sql, wanted)}) w (id text, version text, print text)
      join flow_versions v on v.flow_id = w.id and v.version = w.version`
  )
  const texts = new Map(versions.map((one) => [keyOf(one), one.text ?? ""]))
  return new Map(
    rows.map((row) => {
      const key = keyOf({ id: row.flow_id, version: row.version })
      return [key, { ...row, source: row.source || (texts.get(key) ?? "") }]
    })
  )
})

/** Publishes a version, unless it has been published; returns the published version. */
export const publish = Effect.fnUntraced(function* (flow: RunnableFlow, source: string) {
  const sql = yield* SqlClient.SqlClient
  const { description, id, name, version } = flow.definition
  yield* sql`
    insert into flow_versions (flow_id, version, hash, name, description, source, published_at, pins)
    values (${id}, ${version}, ${flow.hash}, ${name}, ${description}, ${source}, now(), ${json(sql, pinsOf(flow))})
    on conflict (flow_id, version) do nothing`
  const row = (yield* publishedOf([{ id, version }])).get(keyOf({ id, version }))
  return row ?? (yield* Effect.die(new Error("a published version disappeared")))
})

/** The text of a published version, which only flows pinned to it can call unless a file of the folder has it. */
export const textOf = ({ flow_id, pins, source, version }: PublishedVersion, file?: string): FlowText => ({
  id: flow_id,
  version,
  file: file ?? `${flow_id}/${version}.yaml`,
  text: source,
  pins,
  retired: file === undefined
})

const calledBy = (pins: Pins = {}): ReadonlyArray<Named> =>
  Object.entries(pins).map(([call, version]) => ({ id: call.split(" ", 1)[0] ?? call, version }))

/** Some flows and the published versions that they are pinned to, directly or indirectly. */
export const withPinned = Effect.fnUntraced(function* (texts: ReadonlyArray<FlowText>) {
  const found = new Map(texts.map((text) => [keyOf(text), text]))
  for (let next = texts; next.length > 0;) {
    const missing = next.flatMap(({ pins }) => calledBy(pins)).filter((called) => !found.has(keyOf(called)))
    next = [...(yield* publishedOf(missing)).values()].map((row) => textOf(row))
    for (const text of next) found.set(keyOf(text), text)
  }
  return [...found.values()]
})
