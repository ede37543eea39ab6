import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { isScalar, parseDocument, Scalar } from "yaml"
import { type Pins, pinsOf } from "../../../dsl/model/FlowCalls.ts"
import type { FlowText } from "../../../dsl/check/FlowLibrary.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { json } from "../../sql/Json.ts"

/** How long a draft can be run again, in days. */
const keptDays = 30

const Row = Schema.Struct({ source: Schema.String, pins: Schema.Record(Schema.String, Schema.String) })

/**
 * The version of a draft: that of its source, plus a fingerprint of the source and of the versions that it calls, so
 * that a draft picks up new versions of called flows.
 */
export const draftVersion = (flow: RunnableFlow, source: string): string => {
  const { version } = flow.definition
  const [base = version] = version.split("+")
  const print = hash("sha256", canonicalJson([source, pinsOf(flow)])).slice(0, 10)
  return `${base}${base.includes("-") ? "." : "-"}draft-${print}`
}

/** Whether a version belongs to a draft. */
export const isDraft = (version: string): boolean => /[-.]draft-[0-9a-f]{10}$/u.test(version)

const inBlock: ReadonlySet<unknown> = new Set([Scalar.BLOCK_FOLDED, Scalar.BLOCK_LITERAL])

/** The source of a flow with another version; undefined if its version is an alias or on separate lines. */
export const withVersion = (source: string, version: string): string | undefined => {
  const node = parseDocument(source).get("version", true)
  if (!isScalar(node) || !node.range || inBlock.has(node.type)) return undefined
  const [start, end] = node.range
  return source.slice(0, start) + version + source.slice(end)
}

const textOf = (flowId: string, version: string, { pins, source }: typeof Row.Type): FlowText => ({
  id: flowId,
  version,
  file: `${flowId}/${version}.yaml`,
  text: source,
  pins
})

/** The source of a stored draft. */
export const storedDraft = Effect.fnUntraced(function* (flowId: string, version: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* decodeRows(
    Row,
    yield* sql`select source, pins from flow_drafts where flow_id = ${flowId} and version = ${version}`
  )
  return Option.map(Option.fromUndefinedOr(rows[0]), (row) => textOf(flowId, version, row))
})

/** Stores a draft, and removes old drafts that no execution still runs. */
export const storeDraft = Effect.fnUntraced(function* (flow: RunnableFlow, source: string) {
  const sql = yield* SqlClient.SqlClient
  const { id, version } = flow.definition
  const pins: Pins = pinsOf(flow)
  yield* sql`
    insert into flow_drafts (flow_id, version, source, pins, stored_at)
    values (${id}, ${version}, ${source}, ${json(sql, pins)}, now())
    on conflict (flow_id, version) do update set stored_at = excluded.stored_at`
  yield* sql`
    delete from flow_drafts d where stored_at < now() - ${keptDays}::int * interval '1 day'
      and not exists (select 1 from executions e where e.flow_id = d.flow_id and e.version = d.version
        and e.status in ('pending', 'running'))`
})
