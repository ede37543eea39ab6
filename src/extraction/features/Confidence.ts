import { hundredths } from "../../support/Cents.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { FeatureName, Features } from "../Features.ts"
import { leastFit } from "../kinds/DocumentKind.ts"
import type { Field } from "../lexicon/Field.ts"
import { confidenceTrees, hasConfidenceTrees } from "../models/ConfidenceTrees.ts"
import { sigmoid } from "../models/RankingWeights.ts"
import { changesByFeature, treeLogOdds } from "../models/Trees.ts"
import type { Settled } from "./FinalEvidence.ts"

/** Something that speaks against a value. */
interface Doubt {
  /** The features that tell it; the doubt holds if one of them is above 0, unless `holds` says otherwise. */
  readonly features: readonly [FeatureName, ...ReadonlyArray<FeatureName>]
  readonly holds?: (features: Features, field: Field) => boolean
  /** The maximum confidence of such values. They are open by their nature, and too rare for trees to learn it. */
  readonly most?: number
  /** What a reviewer is told; nothing if omitted. */
  readonly says?: (settled: Settled, field: Field) => string | undefined
}

/** Another value that fits nearly as well, as it is printed. */
const rivalOf = ({ chosen, ranked }: Settled, { type }: Field): string | undefined => {
  const rival = ranked.find(({ value }) => value !== chosen?.value)
  const text = type === "currency" ? rival && String(rival.value) : rival?.text
  return text === undefined ? undefined : `${JSON.stringify(text)} fits nearly as well.`
}

/** `605,21 + 7,65`: the amounts that make up a computed one. */
const partsOf = ({ chosen }: Settled): string =>
  chosen?.computed === true && / [+-] /u.test(chosen.text)
    ? `It is not printed: it is ${JSON.stringify(chosen.text)}.`
    : "The value is not printed in the document: it follows from other values."

/** What shows which of the currencies with a sign is meant. */
const shownCurrency: ReadonlyArray<FeatureName> = [
  "labelled",
  "codeRows",
  "wordlikeCodeRows",
  "ownSignRows",
  "iban",
  "vatId",
  "phone",
  "place",
  "register",
  "domain",
  "language"
]

/** All doubts. */
const doubts: ReadonlyArray<Doubt> = [
  {
    features: ["otherCurrency"],
    most: 0.75,
    says: (_, { type }) =>
      type === "currency"
        ? "Amounts are printed in two currencies."
        : "It is printed in another currency than the document's."
  },
  {
    features: ["openOrder"],
    most: 0.75,
    says: () => "Nothing shows which of its numbers is the day and which the month."
  },
  { features: ["farFromToday"], most: 0.45, says: () => "The date is unusually far from today." },
  { features: ["violates"], most: 0.75 },
  {
    features: ["negative"],
    most: 0.85,
    says: () => "It is negative, and nothing says that the document is a credit note."
  },
  {
    features: ["wordDoubt"],
    // Sums show whether an amount is misread.
    holds: ({ wordDoubt = 0 }, { type }) => wordDoubt > (type === "money" ? 0.4 : 0.2),
    most: 0.8,
    says: () => "Its words were recognized uncertainly."
  },
  {
    features: ["byTurns"],
    holds: ({ byTurns, recognised }) => byTurns === 1 && recognised === 1,
    most: 0.85,
    says: () => "Recognition may have taken a digit for a letter."
  },
  {
    features: ["rivalLabelled"],
    // Of two amounts with equal labels, sums show which is meant.
    holds: ({ agrees = 0, greaterRival, lead = 0, rivalLabelled }, { finder, type }) =>
      rivalLabelled === 1 &&
      finder === "label" &&
      (type === "identifier" ||
        type === "date" ||
        (type === "money" && agrees < 1 && (greaterRival === 1 || lead < 0.1))),
    most: 0.75,
    says: rivalOf
  },
  { features: ["onlyWhat"], most: 0.85, says: () => "It may only say what the shop is." },
  {
    features: ["sharedSignRows"],
    holds: (features) =>
      (features.sharedSignRows ?? 0) > 0 && shownCurrency.every((name) => (features[name] ?? 0) === 0),
    // Less than what a person entered for the same sender.
    most: 0.55,
    says: () => "Several currencies share its sign, and nothing shows the country."
  },
  {
    features: ["exactLabel", "byRate"],
    holds: ({ byRate, exactLabel, ofMoney }) => ofMoney === 1 && exactLabel !== 1 && byRate !== 1,
    most: 0.89,
    says: () => "No label of this field is next to it, and no printed rate leads to it."
  },
  {
    features: ["computed"],
    // The country of a document shows its currency.
    holds: ({ computed, ofCurrency }) => computed === 1 && ofCurrency !== 1,
    most: 0.89,
    says: partsOf
  },
  {
    features: ["wordDoubt", "pageDoubt"],
    holds: ({ wordDoubt = 0 }) => wordDoubt > 0.2,
    says: () => "Its words were recognized uncertainly."
  },
  {
    features: ["lead", "leadOdds", "closeRivals", "rivalLabelled", "greaterRival"],
    holds: ({ lead = 0, leadOdds = 0, rivalLabelled }, { finder }) =>
      rivalLabelled === 1 || (finder === "seller" || finder === "merchant" ? leadOdds < 2.5 : lead < 0.15),
    says: rivalOf
  },
  {
    features: ["labelQuality", "labelFit", "labelWeight", "label", "fit", "exactLabel"],
    holds: ({ labelled }, { finder }) => finder === "label" && labelled !== 1,
    says: () => "No label of this field is next to it."
  },
  {
    features: ["misfit", "found"],
    holds: ({ misfit = 0 }) => misfit > 1 - leastFit,
    most: 0.75,
    says: () => "Little shows that the document is of the kind that the field is for."
  },
  { features: ["partOfLonger"], says: () => "A longer name that contains it is printed elsewhere." },
  {
    features: ["labelsKnown"],
    holds: ({ labelsKnown = 0 }, { finder }) => finder === "label" && labelsKnown < 2,
    says: () => "The document has few labels that are known."
  }
]

const doubtsOf = (field: Field, features: Features): ReadonlyArray<Doubt> =>
  doubts.filter(({ features: names, holds }) =>
    holds === undefined ? names.some((name) => (features[name] ?? 0) > 0) : holds(features, field)
  )

/** The most that each doubt which limits a value leaves of its confidence, by the doubt's first feature. */
export const limitsOf = (field: Field, features: Features): Readonly<Record<string, number>> =>
  Object.fromEntries(
    doubtsOf(field, features).flatMap(({ features: [name], most }) =>
      most === undefined ? [] : [[name, most] as const]
    )
  )

/** The confidence in a value, 0–1, learned from similar values. */
export const learnedConfidence = (evidence: FieldEvidence, field: Field, features: Features): number => {
  const learned = hasConfidenceTrees(field)
    ? sigmoid(treeLogOdds(confidenceTrees, features))
    : evidence.confidence
  return hundredths(Math.min(0.99, learned, ...Object.values(limitsOf(field, features))))
}

/** Why a value is in doubt: what limits it, or weighs most against it in the trees; undefined where nothing is known. */
export const reasonOf = (
  field: Field,
  features: Features,
  settled: Settled | undefined
): string | undefined => {
  if (settled?.chosen === undefined) return undefined
  const held = doubtsOf(field, features)
  const changes = held.length < 2 ? new Map<string, number>() : changesByFeature(confidenceTrees, features)
  const weightOf = (names: Doubt["features"]): number =>
    names.reduce((sum, name) => sum + Math.min(0, changes.get(name) ?? 0), 0)
  return held
    .map(({ features: names, most = 1, says }) => ({
      // The doubt that limits a value most comes first, then what weighs most in the trees.
      weight: most < 1 ? most - 1000 : weightOf(names),
      reason: says?.(settled, field)
    }))
    .filter(({ reason }) => reason !== undefined)
    .toSorted((a, b) => a.weight - b.weight)[0]?.reason
}
