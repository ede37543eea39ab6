import type { BlockFeature } from "./candidates/BlockRoles.ts"
import type { LabelFeature } from "./candidates/LabelFeatures.ts"
import type { ValueFeature } from "./candidates/ValueFeatures.ts"
import type { ChoiceFeature } from "./features/ChoiceFeatures.ts"
import type { CurrencyFeature } from "./names/CurrencyField.ts"
import type { MerchantFeature } from "./names/Merchant.ts"
import type { LengthFeature } from "./names/NameForms.ts"
import type { PartyFeature } from "./names/PartyFeatures.ts"

/** The features of a candidate, whatever its field: each is a row of one of these tables. Above all floors: it has types only. */
export type CandidateFeature =
  | BlockFeature
  | LabelFeature
  | ValueFeature
  | PartyFeature
  | LengthFeature
  | MerchantFeature
  | CurrencyFeature

/** The names of all features. A name that is in no table does not compile. */
export type FeatureName = CandidateFeature | ChoiceFeature

/** The features of a candidate: 0 or 1, a count or a measure, each on its own scale. One that does not apply is absent. */
export type Features = Readonly<Partial<Record<FeatureName, number>>>

/** A table of features: by name, a pure function of what the table is about. A condition that holds is 1. */
export type FeatureTable<Context> = Readonly<Record<string, (context: Context) => number | boolean>>

/** The features of a table. */
export const computeFeatures = <Context>(table: FeatureTable<Context>, context: Context): Features => {
  const features: Record<string, number> = {}
  // Hundreds of candidates have features: a list of entries for each takes a third more time.
  for (const name in table) features[name] = Number(table[name]?.(context))
  return features
}
