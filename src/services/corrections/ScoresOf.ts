import { Option, Schema } from "effect"
import type { CorrectedField } from "../../domain/Corrections.ts"
import type { CorrectedScore } from "../../domain/CorrectedScore.ts"
import { DocumentIR } from "../../domain/DocumentIR.ts"
import { FieldEvidence } from "../../domain/Evidence.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { innermost } from "./CorrectedRecords.ts"

/** What is known of a corrected execution. */
interface Corrected {
  readonly executionId: string
  readonly records: ReadonlyArray<StepRecord>
  readonly fields: ReadonlyArray<CorrectedField>
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

/**
 * The scores of an execution's values with what a person said of them. Only whole fields that rules, a model or invoice data
 * found have a score; of a table that was corrected cell by cell nothing is known as a whole.
 */
export const scoresOf = ({
  executionId,
  fields,
  open,
  records
}: Corrected): ReadonlyArray<CorrectedScore> => {
  const scanned = scannedPages(records)
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
      return [{ executionId, field, by, document, score, confidence, said }]
    })
  })
}
