import type { FeatureName, Features } from "../Features.ts"
import type { PartyContext } from "./PartyFeatures.ts"

/** The last rows of a document, where a company without a letterhead says who it is. */
const rowsOfFoot = 6
const longestName = 7

/** What the foot of a document says of the one who issued it. */
export interface PageFoot {
  readonly folded: string
  /** Whether a company or its owner is named there, with a number by which it is registered, paid or reached. */
  readonly namesCompany: boolean
}

/** Whether a part of a line begins with the name of a company: some words up to a legal form. */
const beginsWithCompany = ({ words }: PartyContext, part: string): boolean => {
  const parts = part.split(/\s+/u).slice(0, longestName)
  return (
    words.beginsWithOwner(part) ||
    parts.some((_, at) => at > 0 && words.endsInForm(parts.slice(0, at + 1).join(" ")))
  )
}

/** The foot of a document: its last rows. */
export const footOf = (context: PartyContext): PageFoot => {
  const { reading, words } = context
  const rows = reading.pages.at(-1)?.rows.slice(-rowsOfFoot) ?? []
  const texts = rows.map((row) => row.map(({ text }) => text).join(" "))
  const parts = texts.flatMap((text) => text.split(/[·|•,]|\s[-–]\s/u)).map((part) => part.trim())
  return {
    folded: texts.map(reading.lexicon.fold).join(" "),
    namesCompany:
      texts.some((text) => words.isContact(text) && /\d{4}/u.test(text)) &&
      parts.some((part) => beginsWithCompany(context, part))
  }
}

/**
 * Whether a name is rather that of the addressee: nothing but an address is below it, it is printed once, and the foot names
 * another company with its numbers. Letters with a logo for a head look so.
 */
export const isLikelyAddressee = (
  { reading }: PartyContext,
  foot: PageFoot,
  value: string,
  features: Features
): boolean => {
  const has = (name: FeatureName): number => features[name] ?? 0
  const [first = ""] = value.split(/\s+/u)
  const isAddress = has("addressBelow") === 1 && has("contactBelow") === 0 && has("registrationBelow") === 0
  const isOwn = has("ownBlock") > 0 || has("ownLabel") > 0.5 || has("senderLine") === 1
  const isKnown = has("inDomain") === 1 || has("printedAgain") === 1
  return (
    isAddress && !isOwn && !isKnown && foot.namesCompany && !foot.folded.includes(reading.lexicon.fold(first))
  )
}
