import type { FieldEvidence } from "../../../domain/Evidence.ts"

/** Two sources that found the same by different means are rarely both wrong. */
const bothAgree = 0.95
/** From here on a source's word counts against that of another. */
const trusted = 0.9
const sure = 0.8

/**
 * What counts of a field that an example proposed, once rules have read it too. The same value is sure; where they differ, what a
 * person corrected before counts, then a rule that is sure, then the surer of the two.
 */
export const reconciled = (proposed: FieldEvidence, ruled: FieldEvidence | undefined): FieldEvidence => {
  if (ruled === undefined || ruled.status === "missing") return proposed
  if (ruled.value === proposed.value) {
    const { doubts: _doubts, ...clear } = ruled
    return { ...clear, confidence: Math.max(bothAgree, ruled.confidence, proposed.confidence) }
  }
  if (proposed.confidence >= trusted) return proposed
  if (ruled.confidence >= sure) return ruled
  return proposed.confidence > ruled.confidence ? proposed : ruled
}
