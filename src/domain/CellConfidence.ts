import type { FieldEvidence } from "./Evidence.ts"

/**
 * Limits the cells of a table to its confidence: what speaks against the table, such as a sum that does not hold or a document of
 * another kind, speaks against each of its cells.
 */
export const withinTable = (evidence: FieldEvidence): FieldEvidence => {
  const { cells, confidence } = evidence
  if (cells === undefined) return evidence
  const limited = cells.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, cell]) => [
        column,
        { ...cell, confidence: Math.min(cell.confidence, confidence) }
      ])
    )
  )
  return { ...evidence, cells: limited }
}
