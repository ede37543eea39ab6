import { Struct } from "effect"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { type Candidate, strongest } from "./CombineCandidates.ts"
import { confidenceOf } from "./Support.ts"

/**
 * The evidence for a value that was chosen: the place of the best founded source that has it, and a confidence that the
 * agreement of the sources raises and other values lower.
 */
export const combinedEvidence = (
  value: unknown,
  chosen: Candidate | undefined,
  all: ReadonlyArray<Candidate>
): FieldEvidence => {
  if (chosen === undefined) return { value, confidence: 0, status: "missing" }
  // A calibration was made for one source, not for several together: its score is left out.
  const place = strongest(chosen.votes)?.evidence ?? { status: "inferred" as const }
  const evidence: FieldEvidence = { ...place, value, confidence: confidenceOf(chosen, all) }
  return Struct.omit(evidence, ["score"])
}
