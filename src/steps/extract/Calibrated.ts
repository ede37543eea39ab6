import type { Calibration, Scored } from "../../../dsl/model/Calibration.ts"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Field } from "../../extraction/lexicon/Field.ts"
import type { Found } from "./ExtractSource.ts"

/** The kind of a value for calibration: that of its page; for a value that appears nowhere, that of the worst page. */
const kindOf = (document: DocumentIR, page: number | undefined): Scored["document"] => {
  const pages = page === undefined ? document.pages : document.pages.filter((one) => one.pageNumber === page)
  const isScanned = ({ source }: (typeof pages)[number]) =>
    source === "ocr" || (page !== undefined && source === "none")
  return pages.some(isScanned) ? "scanned" : "born-digital"
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000

/**
 * Replaces the score of each value by the calibrated confidence, and keeps the score next to it. Everything else is
 * unchanged.
 */
export const calibrated = (
  found: Found,
  fields: ReadonlyArray<Field>,
  document: DocumentIR,
  calibration: Calibration | undefined
): Found => {
  if (calibration === undefined) return found
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const one = (field: string, evidence: FieldEvidence): FieldEvidence => {
    const { by, confidence: score, page, status } = evidence
    if (status === "missing") return evidence
    const of = {
      field,
      type: types.get(field) ?? "string",
      by: by ?? "rules",
      document: kindOf(document, page)
    }
    return { ...evidence, confidence: thousandths(calibration.confidence(score, of)), score }
  }
  return Object.fromEntries(Object.entries(found).map(([field, evidence]) => [field, one(field, evidence)]))
}
