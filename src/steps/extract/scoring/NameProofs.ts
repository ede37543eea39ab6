import type { Ranked } from "../candidates/Ranked.ts"
import type { Features } from "./Scoring.ts"

const yes = (is: boolean): number => (is ? 1 : 0)

/** From which size, compared with the lines of the page, letters are larger (0.1: a tenth). */
const larger = 0.1
const farLarger = 0.3
const insideBlock = 0.8

/** What the block of a seller has, or where else its name is. */
const shown = [
  "registrationBelow",
  "contactBelow",
  "inDomain",
  "printedAgain",
  "ownLabel",
  "ownBlock"
] as const

/**
 * How the seller of a document shows itself besides the score of its name: nobody prints a customer larger than the rest.
 * Recognition loses the small print with a seller's name, and letters seem larger than they are: a recognised name that nothing shows
 * to be the seller's may be the customer's.
 */
export const nameProofs = ({ features }: Ranked, others: ReadonlyArray<Ranked>): Features => {
  const has = (name: string): number => features?.[name] ?? 0
  const size = has("large")
  const isRegistered = has("registrationBelow") === 1
  // A customer is not printed smaller than a seller who is registered as well; a sole trader has no legal form.
  const isAnotherLarger = others.some(
    ({ features: other }) =>
      (other?.["large"] ?? 0) - Math.max(0, size) >= farLarger &&
      other?.["registrationBelow"] === 1 &&
      other["rivalLabel"] === 0 &&
      other["rivalBlock"] === 0
  )
  const isLabelled = has("ownLabel") >= insideBlock || has("ownBlock") >= insideBlock
  const isAnotherRegistered = others.some((other) => other.features?.["registrationBelow"] === 1)
  return {
    larger: yes(size >= larger),
    letterhead: yes(size >= larger && has("form") === 1 && has("firstOfBlock") === 1),
    // The sender's line in small print above the window of an envelope.
    senderLine: has("senderLine"),
    // A firm that shares a word with the name may be the seller instead.
    relatedFirm: has("relatedFirm"),
    largerRival: yes(isAnotherLarger && !isLabelled),
    // Who issues a document for another firm is not its seller.
    agent: has("agent"),
    unshown: yes(has("wordDoubt") > 0 && shown.every((name) => has(name) === 0)),
    // A logo in large letters may be unlike the name of its firm, which may be anywhere or in words that are not known.
    logo: yes(
      has("bare") === 1 &&
        size >= farLarger &&
        !isRegistered &&
        has("ownLabel") < insideBlock &&
        has("ownBlock") < insideBlock
    ),
    onlyRegistered: yes(size >= farLarger && isRegistered && !isAnotherRegistered),
    sellersBlock: yes(has("ownBlock") >= insideBlock && has("form") === 1 && isRegistered)
  }
}
