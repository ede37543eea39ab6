import { hash } from "node:crypto"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { CorrectedScore } from "../../domain/CorrectedScore.ts"
import { CorrectedField } from "../../domain/Corrections.ts"
import { isIssuer } from "../calibration/Observation.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { defined } from "../../support/Defined.ts"
import type { Environment } from "../../domain/Organization.ts"
import { Journal } from "../../engine/journal/Journal.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { settled } from "./SettledCorrections.ts"
import { DocumentIR } from "../../domain/DocumentIR.ts"
import { FieldEvidence } from "../../domain/Evidence.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { innermost } from "./CorrectedRecords.ts"

/** What is known of a corrected execution. */
interface Corrected {
  readonly executionId: string
  readonly records: ReadonlyArray<StepRecord>
  readonly fields: ReadonlyArray<CorrectedField>
  /** The oldest example of the layout. */
  readonly layout: string | null
  /** Fields in `review` that nobody corrected or confirmed yet. */
  readonly open: number
}

/** What a step extracted itself: one that combines what others extracted has no review of its own. */
const Extracted = Schema.Struct({
  review: Schema.Array(Schema.Unknown),
  fields: Schema.Record(Schema.String, FieldEvidence)
})
const extractedOf = Schema.decodeUnknownOption(Extracted)

const Page = Schema.Struct({ pageNumber: Schema.Int, source: DocumentIR.fields.pages.value.fields.source })
const pagesOf = Schema.decodeUnknownOption(
  Schema.Struct({ document: Schema.Struct({ pages: Schema.Array(Page) }) })
)

/** The numbers of the pages whose text was recognised or not read at all. */
const scannedPages = (records: ReadonlyArray<StepRecord>): ReadonlySet<number> =>
  new Set(
    records
      .flatMap(({ output }) => Option.toArray(pagesOf(output)))
      .flatMap(({ document: { pages } }) => pages)
      .flatMap(({ pageNumber, source }) => (source === "ocr" || source === "none" ? [pageNumber] : []))
  )

/** Who issued a document, as a person or else the flow names the seller; otherwise by its layout. */
const issuerOf = ({ fields, layout, records }: Corrected): string | undefined => {
  const extracted = innermost(records).flatMap(({ output }) =>
    Option.toArray(extractedOf(output)).flatMap((found) =>
      Object.entries(found.fields).map(([field, { value }]) => ({ field, value }))
    )
  )
  const name = [...fields, ...extracted].find(
    ({ field, value }) => isIssuer(field) && typeof value === "string" && value !== ""
  )?.value
  return name === undefined ? (layout ?? undefined) : hash("sha256", String(name).toLowerCase())
}

/**
 * The scores of an execution's values with what a person said of them. Only whole fields that rules, a model or invoice data
 * found have a score; of a table that was corrected cell by cell nothing is known as a whole.
 */
const scoresOf = (corrected: Corrected): ReadonlyArray<CorrectedScore> => {
  const { executionId, fields, open, records } = corrected
  const scanned = scannedPages(records)
  const issuer = issuerOf(corrected)
  const saidOf = (step: string, field: string): CorrectedScore["said"] | undefined => {
    const own = fields.filter((saved) => saved.step === step && saved.field === field)
    const whole = own.find(({ row }) => row === undefined)
    if (whole !== undefined) return whole.accepted ? "confirmed" : "corrected"
    return own.length === 0 && open === 0 ? "nothing" : undefined
  }
  return innermost(records).flatMap(({ output, path, status }) => {
    if (status !== "completed") return []
    const found = Option.getOrUndefined(extractedOf(output))
    return Object.entries(found?.fields ?? {}).flatMap(([field, evidence]): ReadonlyArray<CorrectedScore> => {
      const said = saidOf(path, field)
      if (said === undefined || evidence.status === "missing") return []
      const { by = "rules", confidence, page, score = confidence } = evidence
      const isScanned = page === undefined ? scanned.size > 0 : scanned.has(page)
      const document = isScanned ? "scanned" : "born-digital"
      return [{ executionId, ...defined({ issuer }), field, by, document, score, confidence, said }]
    })
  })
}

const Row = Schema.Struct({
  execution_id: Schema.String,
  fields: Schema.Array(CorrectedField),
  review_open: Schema.Int,
  layout: Schema.NullOr(Schema.String)
})

/** Whose corrections of which version of a flow, and which part of them. */
interface Wanted {
  readonly organizationId: string
  readonly environment: Environment
  readonly flowId: string
  readonly version: string
  readonly limit: number
  readonly offset: number
}

/** What people's corrections say about the scores of a flow. */
export class CorrectedScores extends Context.Service<
  CorrectedScores,
  {
    /** The scores of a part of the corrected executions, oldest first; `total` counts executions. */
    list(
      wanted: Wanted
    ): Effect.Effect<
      { readonly scores: ReadonlyArray<CorrectedScore>; readonly total: number },
      SqlError.SqlError | BlobStoreFailure
    >
  }
>()("docflow/CorrectedScores") {
  static readonly layer = Layer.effect(
    CorrectedScores,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const journal = yield* Journal

      const list = Effect.fn("CorrectedScores.list")(function* (wanted: Wanted) {
        const { environment, flowId, limit, offset, organizationId, version } = wanted
        const from = sql`
          from corrections c join executions e on e.id = c.execution_id
          where e.organization_id = ${organizationId} and e.environment = ${environment} and e.flow_id = ${flowId}
            and e.version = ${version} and e.erased_at is null`
        const [counted] = yield* sql<{ total: number }>`select count(*)::int as total ${from}`
        const rows = yield* sql`
          select c.execution_id, c.fields, e.review_open, (
            select alike.id from examples own
              join example_keys key on key.number = own.number
              join example_keys same on same.key = key.key
              join examples alike on alike.number = same.number
            where own.execution_id = e.id
            group by own.id, alike.id
            having 2 * count(*) >= cardinality(own.keys)
            order by alike.number limit 1) as layout ${from}
          order by c.execution_id limit ${limit} offset ${offset}`
        const scores = yield* Effect.forEach(
          yield* decodeRows(Row, rows),
          Effect.fnUntraced(function* ({ execution_id, fields, layout, review_open }) {
            // Others come first: a long document takes some milliseconds.
            yield* Effect.yieldNow
            const records = yield* journal.records(execution_id)
            return scoresOf({
              executionId: execution_id,
              fields: settled(fields),
              layout,
              open: review_open,
              records
            })
          })
        )
        return { scores: scores.flat(), total: counted?.total ?? 0 }
      })

      return CorrectedScores.of({ list })
    })
  )
}
