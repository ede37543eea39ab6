import type { LabelMatch } from "../layout/LabelMatches.ts"
import { type PageModel, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { relation } from "../layout/SpatialRelation.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { countriesNamed } from "../lexicon/CountryNames.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import { namesIn } from "../layout/NamesIn.ts"
import type { Features } from "../models/Scoring.ts"
import { blockAround } from "./NameBlock.ts"

const yes = (is: boolean): number => (is ? 1 : 0)

/** What is known of a document before its names are compared. */
export interface PartyContext {
  readonly reading: Reading
  readonly words: NameWords
  /** The labels of the one that is looked for, and of the other party. */
  readonly own: ReadonlyArray<LabelMatch>
  readonly others: ReadonlyArray<LabelMatch>
  /** The names in the document's web and mail addresses: `aubonmoulin` of www.aubonmoulin.fr. */
  readonly domains: ReadonlySet<string>
  /** The first page, folded. */
  readonly text: string
}

const freeMail =
  /^(?:gmail|hotmail|outlook|yahoo|gmx|web|icloud|aol|live|googlemail|example|localhost|fake)$/u

const domainsOf = (text: string): Set<string> =>
  new Set(
    [
      ...text
        .toLowerCase()
        .matchAll(/(?:@|www\.|https?:\/\/)(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)\.[a-z]{2,}/gu)
    ]
      .map((match) => (match[1] ?? "").split(".").at(-1)?.replaceAll("-", "") ?? "")
      .filter((name) => name.length >= 4 && !freeMail.test(name))
  )

const textOfPage = (reading: Reading, page: number): string =>
  (reading.pages[page]?.rows ?? []).map((row) => row.map((token) => token.text).join(" ")).join("\n")

/** What the names of a document are compared with. */
export const partyContext = (reading: Reading, labels: ReadonlyArray<LabelMatch>): PartyContext => ({
  reading,
  words: namesIn(reading),
  own: labels.filter(({ label }) => label.names),
  others: labels.filter(({ label }) => !label.names),
  domains: domainsOf(reading.text),
  text: reading.lexicon.fold(textOfPage(reading, 0))
})

/** The fewest letters of a word that a domain begins with, and the share of it that it is. */
const [wordInDomain, shareOfDomain] = [5, 0.4]

/** Whether a domain begins with a word of a name: `zwaagtuinen` and `Hoveniersbedrijf Van der Zwaag`. */
const beginsWithWord = (domain: string, value: string, { lexicon }: Reading): boolean =>
  value
    .split(/[^\p{L}]+/u)
    .map(lexicon.fold)
    .some(
      (word) =>
        word.length >= wordInDomain && word.length >= shareOfDomain * domain.length && domain.startsWith(word)
    )

/** What the words alone say. */
const wording = ({ domains, reading, text, words }: PartyContext, value: string): Features => {
  const folded = reading.lexicon.fold(value)
  const count = value.split(/\s+/u).length
  return {
    form: yes(words.endsInForm(value)),
    innerForm: yes(!words.endsInForm(value) && words.holdsForm(value)),
    inDomain: yes(
      [...domains].some(
        (domain) =>
          folded.includes(domain) ||
          (folded.length >= 0.7 * domain.length && domain.includes(folded)) ||
          beginsWithWord(domain, value, reading)
      )
    ),
    printedAgain: yes(text.split(folded).length > 2),
    digits: yes(/\d/u.test(value)),
    punctuation: yes(/[:?!]/u.test(value)),
    sentence: yes(value.endsWith(".") && !words.endsInForm(value) && count > 3),
    smallFirst: yes(/^\p{Ll}/u.test(value)),
    // Scripts without small letters have no capitals either, and some have no spaces.
    capitals: yes(/\p{Lu}/u.test(value) && !/\p{Ll}/u.test(value)),
    manyWords: yes(count > 5),
    oneWord: yes(
      count === 1 && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(value)
    ),
    street: yes(words.isStreet(value)),
    shop: yes(words.isShop(value))
  }
}

/** What the place on the page says: sellers are at the top in large letters, or in the footer. */
const placing = (page: PageModel, { bbox, span }: Candidate): Features => {
  const high = bbox.y / page.height
  const row = page.rows[span.row] ?? []
  return {
    laterPage: yes(span.page > 0),
    top: yes(high < 0.12),
    upper: yes(high >= 0.12 && high < 0.25),
    middle: yes(high >= 0.4 && high < 0.8),
    foot: yes(high >= 0.8),
    rightHalf: yes(bbox.x > 0.5 * page.width),
    large: Math.max(-0.5, Math.min(1.5, bbox.h / page.lineHeight - 1)),
    firstRow: yes(span.row === 0),
    // The headings of a table are many in a row; a name has at most one neighbour on either side.
    amongMany: yes((row.at(-1)?.phrase ?? 0) >= 4),
    wholeRow: yes(span.from === 0 && span.to === row.length - 1)
  }
}

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

/** How far a block reaches below its label, in lines: the foot of a page is far below the last label. */
const mostLinesOfBlock = 12

/** The label in whose block a candidate is: the nearest one above it, within a few lines. */
const labelAbove = (
  { others, own, reading }: PartyContext,
  { bbox, span }: Candidate
): LabelMatch | undefined => {
  let found: LabelMatch | undefined
  const farthest = mostLinesOfBlock * (reading.pages[span.page]?.lineHeight ?? bbox.h)
  for (const match of [...own, ...others]) {
    const isAbove =
      match.span.page === span.page &&
      span.row > match.span.row &&
      span.row - match.span.row <= 7 &&
      bbox.y - match.bbox.y < farthest &&
      bbox.x < match.bbox.x + Math.max(match.bbox.w, 120) &&
      bbox.x + bbox.w > match.bbox.x
    if (isAbove && (found === undefined || match.span.row > found.span.row)) found = match
  }
  return found
}

const labelling = (context: PartyContext, candidate: Candidate): Features => {
  const above = labelAbove(context, candidate)
  return {
    ownLabel: nextTo(context.reading, context.own, candidate),
    rivalLabel: nextTo(context.reading, context.others, candidate),
    ownBlock: above?.label.names === true ? above.quality : 0,
    rivalBlock: above?.label.names === false ? above.quality : 0
  }
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

/** The features of a name as one of the two parties of a document, by its words, position, labels and block. */
export const partyFeatures = (
  context: PartyContext,
  candidate: Candidate<string>,
  value: string
): Features => {
  const page = context.reading.pages[candidate.span.page]
  if (page === undefined) return {}
  const block = blockAround(page, candidate, context.words)
  return {
    ...wording(context, value),
    endsColon: yes(candidate.text.endsWith(":")),
    country: yes(isCountry(context.reading, value)),
    wordDoubt: doubtOf(context.reading, candidate),
    ...placing(page, candidate),
    ...labelling(context, candidate),
    senderLine: yes(beginsSenderLine(page, candidate)),
    addressed: yes(block.addressed),
    firstOfBlock: yes(block.first),
    addressBelow: yes(block.address),
    contactBelow: yes(block.contact),
    registrationBelow: yes(block.registration),
    belowContact: yes(block.afterContact),
    formBelow: yes(block.formBelow)
  }
}
