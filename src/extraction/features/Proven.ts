import type { Field } from "../lexicon/Field.ts"
import type { FeatureName, Features } from "../Features.ts"
import { mayBeAnother } from "./Unsupported.ts"

type Proof = (has: (name: FeatureName) => number, learned: number) => boolean

/** Nothing is proven in a document that may be of another kind. */
const mostMisfit = 0.3
const knownWords = 2
const leadOfName = 2.5
/** The lead of a name at the head of its block, without which another one is as likely. */
const leadOfLetterhead = 1
const likely = 0.7
const leastScore = 0.3

/** The printed sum that it is a part of holds, and it has a label of its own, or a rate leads to the greatest amount. */
const isSum: Proof = (has) =>
  has("agrees") >= 1 &&
  has("violates") === 0 &&
  has("negative") === 0 &&
  has("notZero") === 1 &&
  has("computed") === 0 &&
  // `Totals   146,790.00` of the columns of a table is no net amount and total in one, if another amount has a label too.
  (has("shared") === 0 || has("rivalLabel") === 0) &&
  (has("ownLabel") === 1 || has("inGreatestSum") === 1)

/** An address is printed again as well: a postcode that is nearly as likely as another number is no reference. */
const leastLeadOfNumber = 0.05

const isNumber: Proof = (has) =>
  has("numberAgain") === 1 &&
  has("gap") >= leastLeadOfNumber &&
  has("labelled") === 1 &&
  has("behindLetters") === 0 &&
  has("ofInvoice") === 0

const isSeller: Proof = (has, learned) =>
  !mayBeAnother(has) &&
  (has("senderLine") === 1 ||
    has("sellersBlock") === 1 ||
    (has("letterhead") === 1 && has("score") >= leastScore && has("gapOdds") >= leadOfLetterhead) ||
    (has("labelsKnown") >= knownWords &&
      (has("onlyRegistered") === 1 ||
        (has("larger") === 1 && has("gapOdds") >= leadOfName && learned >= likely))))

/**
 * A telephone or a number of registration below a line that no line exceeds in size. Recognition loses names that are drawn: then
 * the first line is where the shop is.
 */
const isHeadOfShop: Proof = (has) =>
  has("registeredBelow") === 1 &&
  has("aboveLarger") === 0 &&
  has("withDigits") === 0 &&
  has("recognised") === 0

/**
 * The first line that can be a name, with the address right below it or at the head of what says how to reach the shop.
 * Recognition mixes up words that run from the right.
 */
const isShop: Proof = (has, learned) =>
  has("firstName") === 1 &&
  (has("addressBelow") === 1 || isHeadOfShop(has, learned)) &&
  has("onlyWhat") === 0 &&
  has("smallFirst") === 0 &&
  (has("recognised") === 0 || has("fromRight") === 0)

/** Signs of one country and none of another prove a sign that several countries share; what is printed nowhere stays in doubt. */
const isCurrency: Proof = (has) =>
  has("computed") === 0 && has("sharedSign") === 1 && has("strongSigns") >= 1 && has("rivalSigns") === 0

const proofOf = ({ finder, preset, type }: Field): Proof | undefined => {
  if (finder === "merchant") return isShop
  if (preset?.startsWith("invoice.") !== true) return undefined
  if (finder === "seller") return isSeller
  if (finder === "currency") return isCurrency
  if (finder !== "label") return undefined
  return type === "money" ? isSum : type === "identifier" ? isNumber : undefined
}

/**
 * Whether a value has support that is independent of its score and was hardly ever wrong. It is sure
 * then, unless something speaks against it.
 */
export const isProven = (field: Field, features: Features, learned: number): boolean => {
  const has = (name: FeatureName): number => features[name] ?? 0
  return has("misfit") <= mostMisfit && proofOf(field)?.(has, learned) === true
}
