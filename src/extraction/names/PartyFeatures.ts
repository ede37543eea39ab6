import { blocksOf } from "../layout/PageBlocks.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import { type PageModel, type Token, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { relation } from "../layout/SpatialRelation.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { countriesNamed } from "../lexicon/CountrySigns.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import { namesIn } from "../layout/NamesIn.ts"
import { computeFeatures, type Features, type FeatureTable } from "../Features.ts"
import {
  isAddress,
  isRegistration,
  lineAt,
  type LineOfRole,
  namesDomain,
  rolesOf
} from "../candidates/BlockRoles.ts"

/** What is known of a document before its names are compared. */
export interface PartyContext {
  readonly reading: Reading
  readonly words: NameWords
  /** The labels of the one that is looked for, and of the other party. */
  readonly own: ReadonlyArray<LabelMatch>
  readonly others: ReadonlyArray<LabelMatch>
  /** The first page, folded. */
  readonly text: string
  /** How surely the most probable block of the first and the last page is the seller's, in log-odds. */
  readonly mostSeller: number
}

const textOfPage = (reading: Reading, page: number): string =>
  (reading.pages[page]?.rows ?? []).map((row) => row.map((token) => token.text).join(" ")).join("\n")

/** What the names of a document are compared with. */
export const partyContext = (reading: Reading, labels: ReadonlyArray<LabelMatch>): PartyContext => ({
  reading,
  words: namesIn(reading),
  own: labels.filter(({ label }) => label.names),
  others: labels.filter(({ label }) => !label.names),
  text: reading.lexicon.fold(textOfPage(reading, 0)),
  mostSeller: Math.max(
    ...[0, reading.pages.length - 1].flatMap((page) =>
      blocksOf(reading, page).all.map((block) => rolesOf(reading, block).seller)
    )
  )
})

/** Two parties are side by side: what is a quarter of the page away belongs to another label. */
const isFar = (model: PageModel, { bbox, span }: LabelMatch, candidate: Candidate): boolean =>
  candidate.span.row === span.row && candidate.bbox.x - (bbox.x + bbox.w) > 0.25 * model.width

/** How well a candidate is placed next to a label, or under it, 0–1. */
const nextTo = (reading: Reading, labels: ReadonlyArray<LabelMatch>, candidate: Candidate): number => {
  let most = 0
  for (const match of labels) {
    const model = reading.pages[match.span.page]
    if (model === undefined || match.span.page !== candidate.span.page) continue
    if (Math.abs(match.span.row - candidate.span.row) > 8) continue
    const near = isFar(model, match, candidate) ? 0.4 : 1
    const fit = relation(model, match, candidate, ["right", "below"], () => 1)
    most = Math.max(most, match.quality * near * fit)
  }
  return most
}

/** The line in small print above an address window: `Firm · Street 1 · 12345 Town`; the firm comes first. */
const beginsSenderLine = (page: PageModel, { bbox, span }: Candidate): boolean => {
  const row = page.rows[span.row] ?? []
  const separators = row.filter((token) => /^[•·|●▪–—-]$/u.test(token.text)).length
  return (
    span.from === 0 &&
    separators >= 2 &&
    bbox.h < page.lineHeight &&
    row.some((token) => /^\d{4,5}$/u.test(token.text))
  )
}

/** Whether a string is nothing but the name of a country. */
const isCountry = ({ lexicon }: Reading, value: string): boolean =>
  value.length <= 30 &&
  value.split(" ").length <= 3 &&
  !/\d/u.test(value) &&
  countriesNamed(value, lexicon).size > 0

/** How unsure recognition is of the worst word, 0–1; 0 where nothing was recognised. */
const doubtOf = ({ pages }: Reading, { span }: Candidate): number =>
  1 - Math.min(1, ...tokensOf(pages, span).map(({ confidence = 1 }) => confidence))

const mostBelow = 6

/** A name that may be a party of a document, with its page, its block and the label above it. */
interface PartyName extends PartyContext {
  readonly candidate: Candidate<string>
  readonly value: string
  readonly folded: string
  readonly wordCount: number
  readonly page: PageModel
  readonly row: ReadonlyArray<Token>
  /** How far down its page, 0–1. */
  readonly high: number
  readonly at: LineOfRole | undefined
  /** The lines of its block below it. */
  readonly below: ReadonlyArray<string>
}

/** What a name says as one of the two parties of a document: by its words, its place, its labels and its block. */
const partyTable = {
  /** Ends in a legal form. */
  form: ({ value, words }) => words.endsInForm(value),
  /** Holds a legal form, but not at its end. */
  innerForm: ({ value, words }) => !words.endsInForm(value) && words.holdsForm(value),
  /** In a web or mail address of the document. */
  inDomain: ({ folded, reading }) => namesDomain(reading, folded),
  /** Printed more than once on the first page. */
  printedAgain: ({ folded, text }) => text.split(folded).length > 2,
  /** Has figures. */
  digits: ({ value }) => /\d/u.test(value),
  /** Has a colon, a question or an exclamation mark. */
  punctuation: ({ value }) => /[:?!]/u.test(value),
  /** Ends as a sentence does. */
  sentence: ({ value, wordCount, words }) => value.endsWith(".") && !words.endsInForm(value) && wordCount > 3,
  /** Begins with a small letter. */
  smallFirst: ({ value }) => /^\p{Ll}/u.test(value),
  /** In capitals; scripts without small letters have none. */
  capitals: ({ value }) => /\p{Lu}/u.test(value) && !/\p{Ll}/u.test(value),
  /** More than five words. */
  manyWords: ({ wordCount }) => wordCount > 5,
  /** One word, in a script that has spaces. */
  oneWord: ({ value, wordCount }) =>
    wordCount === 1 && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(value),
  /** A street. */
  street: ({ value, words }) => words.isStreet(value),
  /** Has a word for a kind of shop. */
  shop: ({ value, words }) => words.isShop(value),
  /** Ends with a colon. */
  endsColon: ({ candidate }) => candidate.text.endsWith(":"),
  /** The name of a country. */
  country: ({ reading, value }) => isCountry(reading, value),
  /** How unsure recognition is of the worst word, 0–1. */
  wordDoubt: ({ candidate, reading }) => doubtOf(reading, candidate),
  /** Not on the first page. */
  laterPage: ({ candidate: { span } }) => span.page > 0,
  /** At the top of its page. */
  top: ({ high }) => high < 0.12,
  /** Below the top of its page. */
  upper: ({ high }) => high >= 0.12 && high < 0.25,
  /** In the middle of its page. */
  middle: ({ high }) => high >= 0.4 && high < 0.8,
  /** At the foot of its page. */
  foot: ({ high }) => high >= 0.8,
  /** In the right half of its page. */
  rightHalf: ({ candidate: { bbox }, page }) => bbox.x > 0.5 * page.width,
  /** How much larger than the lines of the page. */
  large: ({ candidate: { bbox }, page }) => Math.max(-0.5, Math.min(1.5, bbox.h / page.lineHeight - 1)),
  /** In the first row of its page. */
  firstRow: ({ candidate: { span } }) => span.row === 0,
  /** Among many in a row, as headings of a table are; a name has at most one neighbor on either side. */
  amongMany: ({ row }) => (row.at(-1)?.phrase ?? 0) >= 4,
  /** Alone in its row. */
  wholeRow: ({ candidate: { span }, row }) => span.from === 0 && span.to === row.length - 1,
  /** Next to a label of the party that is looked for, 0–1. */
  ownLabel: ({ candidate, own, reading }) => nextTo(reading, own, candidate),
  /** Next to a label of the other party, 0–1. */
  rivalLabel: ({ candidate, others, reading }) => nextTo(reading, others, candidate),
  /** First in the line of small print above an address window. */
  senderLine: ({ candidate, page }) => beginsSenderLine(page, candidate),
  /** How much less surely its block is the seller's than the most probable one of its pages, in log-odds. */
  otherSeller: ({ at, mostSeller }) => mostSeller - (at?.odds.seller ?? mostSeller),
  /** How surely its block is the customer's, in log-odds. */
  inCustomer: ({ at }) => at?.odds.customer ?? 0,
  /** Heads its block. */
  firstOfBlock: ({ at }) => at?.line === 0,
  /** Above an address. */
  addressBelow: ({ below, words }) => below.slice(0, 4).some((line) => isAddress(words, line)),
  /** Above a telephone number, a mail or web address. */
  contactBelow: ({ below, words }) => below.some(words.isContact),
  /** Above a number of registration or for tax. */
  registrationBelow: ({ below, words }) => below.some((line) => isRegistration(words, line))
} satisfies FeatureTable<PartyName>

export type PartyFeature = keyof typeof partyTable

/** The features of a name as one of the two parties of a document. */
export const partyFeatures = (
  context: PartyContext,
  candidate: Candidate<string>,
  value: string
): Features => {
  const page = context.reading.pages[candidate.span.page]
  if (page === undefined) return {}
  const at = lineAt(context.reading, candidate.span)
  return computeFeatures(partyTable, {
    ...context,
    candidate,
    value,
    page,
    folded: context.reading.lexicon.fold(value),
    wordCount: value.split(/\s+/u).length,
    row: page.rows[candidate.span.row] ?? [],
    high: candidate.bbox.y / page.height,
    at,
    below: at?.block.lines.slice(at.line + 1, at.line + 1 + mostBelow).map(({ text }) => text) ?? []
  })
}
