import type { Ranked } from "../candidates/Ranked.ts"
import type { Features } from "./Scoring.ts"

/** What a document says of its country. A register alone is not enough for a sign that several countries share. */
const strong = ["iban", "vatId", "place"]
const weak = ["register", "domain", "language", "phone"]

const count = ({ features }: Ranked, names: ReadonlyArray<string>): number =>
  names.filter((name) => (features?.[name] ?? 0) > 0).length

/** Whether a currency has a sign that others share, how many signs of its country, and whether another currency has any. */
export const currencyProofs = (chosen: Ranked, others: ReadonlyArray<Ranked>): Features => ({
  sharedSign: (chosen.features?.["sharedSignRows"] ?? 0) > 0 ? 1 : 0,
  otherTotals: chosen.features?.["otherTotals"] ?? 0,
  strongSigns: count(chosen, strong),
  rivalSigns: others.some((other) => count(other, [...strong, ...weak]) > 0) ? 1 : 0
})
