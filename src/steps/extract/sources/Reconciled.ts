import type { FieldEvidence } from "../../../domain/Evidence.ts"
import { isMisreading } from "./MisreadNames.ts"
import { disputed } from "./WeighExamples.ts"

/** The confidence if two sources agree: they are rarely both wrong. */
const bothAgree = 0.95
/** The confidence from which one source can overrule another. */
const trusted = 0.9
/** The confidence in a value that was right before: only a hint, until rules find it too. */
export const hint = 0.7
/** From this confidence on, what rules find is rather right than wrong. */
const ratherRight = 0.75

/** Whether rules read the name of a sender that an example knows, with some letters misread. */
const isMisread = (ruled: FieldEvidence, { status, value }: FieldEvidence): boolean =>
  status === "inferred" && ruled.confidence < trusted && isMisreading(ruled.value, value)

/**
 * Decides about a field that an example proposed, once rules have read it too. Equal values are sure, unless the example is
 * less sure than a hint; otherwise, a value that a person corrected before wins, then a rule that is sure, then what the example
 * proposed; a hint replaces only what may as well be wrong. `readByOcr`: the page was recognised, so that a name may be the
 * known one, misread. Two senders may have names that differ in a letter.
 */
export const reconciled = (
  proposed: FieldEvidence,
  ruled: FieldEvidence | undefined,
  readByOcr = false
): FieldEvidence => {
  const one = reconciledValue(proposed, ruled, readByOcr)
  const { doubts } = proposed
  // Where checked documents disagree, a person decides.
  return doubts === undefined ? one : { ...one, doubts, confidence: Math.min(one.confidence, disputed) }
}

const reconciledValue = (
  proposed: FieldEvidence,
  ruled: FieldEvidence | undefined,
  readByOcr: boolean
): FieldEvidence => {
  if (ruled === undefined || ruled.status === "missing") return proposed
  const { doubts: _doubts, ...clear } = ruled
  if (ruled.value === proposed.value) {
    const together = proposed.confidence < hint ? 0 : bothAgree
    return { ...clear, confidence: Math.max(together, ruled.confidence, proposed.confidence) }
  }
  if (readByOcr && isMisread(ruled, proposed))
    return { ...clear, value: proposed.value, status: "inferred", confidence: trusted, by: "examples" }
  if (proposed.confidence >= trusted) return proposed
  return ruled.confidence >= (proposed.confidence > hint ? trusted : ratherRight) ? ruled : proposed
}
