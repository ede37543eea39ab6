import type { Field } from "../lexicon/Field.ts"
import type { Settled } from "./FinalEvidence.ts"
import type { FeatureName, Features } from "../Features.ts"

/** What little lead over the next value leaves both possible. */
const littleLead = 0.15
const doubtedWord = 0.2
const otherKind = 0.5
const fewLabels = 2

/** Names have a lead in log-odds. */
const littleLeadOfName = 2.5

/** Another value that fits nearly as well, as it is printed. */
const closeRival = (
  { finder, type }: Field,
  { chosen, ranked }: Settled,
  has: (name: FeatureName) => number
): string | undefined => {
  const isName = finder === "seller" || finder === "merchant"
  const isAhead = isName ? has("gapOdds") >= littleLeadOfName : has("gap") >= littleLead
  if (isAhead && has("rivalLabel") === 0) return undefined
  const rival = ranked.find(({ value }) => value !== chosen?.value)
  return type === "currency" ? rival && String(rival.value) : rival?.text
}

/** Why a value that rules found is in doubt, the most specific reason first; undefined where none is known. */
export const reasonOf = (
  field: Field,
  features: Features,
  settled: Settled | undefined
): string | undefined => {
  if (settled?.chosen === undefined) return undefined
  const { finder, type } = field
  const has = (name: FeatureName) => features[name] ?? 0
  const rival = closeRival(field, settled, has)
  // `605,21 + 7,65`: the amounts that make up a computed one.
  const isFormula = settled.chosen.computed === true && / [+-] /u.test(settled.chosen.text)
  const reasons: ReadonlyArray<readonly [boolean, string]> = [
    [has("otherCurrency") === 1 && type === "currency", "Amounts are printed in two currencies."],
    [has("otherCurrency") === 1, "It is printed in another currency than the document's."],
    [has("openOrder") === 1, "Nothing shows which of its numbers is the day and which the month."],
    [has("farFromToday") === 1 || has("longAgo") === 1, "The date is unusually far from today."],
    [has("wordDoubt") > doubtedWord, "Its words were recognized uncertainly."],
    [
      has("likelyAddressee") === 1,
      "It may be the addressee: another company is named at the foot of the document or next to the account."
    ],
    [isFormula, `It is not printed: it is ${JSON.stringify(settled.chosen.text)}.`],
    [rival !== undefined, `${JSON.stringify(rival)} fits nearly as well.`],
    [has("computed") === 1, "The value is not printed in the document: it follows from other values."],
    [finder === "label" && has("labelled") === 0, "No label of this field is next to it."],
    [has("misfit") > otherKind, "Little shows that the document is of the kind that the field is for."],
    [has("formBelowName") === 1, "The name of a company is printed below it."],
    [has("partOfLonger") === 1, "A longer name that contains it is printed elsewhere."],
    [has("mixedCapitals") === 1, "Its second line may only say what the shop is."],
    [finder === "label" && has("labelsKnown") < fewLabels, "The document has few labels that are known."]
  ]
  return reasons.find(([is]) => is)?.[1]
}
