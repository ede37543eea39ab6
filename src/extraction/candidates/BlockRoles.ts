import { computeFeatures, type Features, type FeatureTable } from "../Features.ts"
import {
  type Block,
  type BlockLine,
  blocksOf,
  byRole,
  type ByRole,
  type Phrase,
  type Role
} from "../layout/PageBlocks.ts"
import { byRow, type ByRow, type Candidate, rowKey } from "../layout/Candidate.ts"
import { namesIn } from "../layout/NamesIn.ts"
import type { PageModel, Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import { roleOdds } from "../models/RankingWeights.ts"

const freeMail =
  /^(?:gmail|hotmail|outlook|yahoo|gmx|web|icloud|aol|live|googlemail|example|localhost|fake)$/u

const domainsIn = (text: string): Set<string> =>
  new Set(
    [
      ...text
        .toLowerCase()
        .matchAll(/(?:@|www\.|https?:\/\/)(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)\.[a-z]{2,}/gu)
    ]
      .map((match) => (match[1] ?? "").split(".").at(-1)?.replaceAll("-", "") ?? "")
      .filter((name) => name.length >= 4 && !freeMail.test(name))
  )

/** What the blocks of a document are compared with. */
interface BlockContext {
  readonly words: NameWords
  readonly dates: ByRow<string>
  /** The names in the document's web and mail addresses: `aubonmoulin` of www.aubonmoulin.fr. */
  readonly domains: ReadonlySet<string>
}

const contexts = new WeakMap<Reading, BlockContext>()

const contextOf = (reading: Reading): BlockContext => {
  const context = contexts.get(reading) ?? {
    words: namesIn(reading),
    dates: byRow(reading.dates),
    domains: domainsIn(reading.text)
  }
  contexts.set(reading, context)
  return context
}

/** Whether a text, folded, holds a name of the document's web and mail addresses, or most of one. */
export const namesDomain = (reading: Reading, folded: string): boolean =>
  [...contextOf(reading).domains].some(
    (domain) => folded.includes(domain) || (folded.length >= 0.7 * domain.length && domain.includes(folded))
  )

const postcode = /(?:^|[\s-])(?:\d{4,6}|\d{2,3}[- ]\d{2,3}|[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2})(?=$|[\s,])/u

/** Whether a line has a street or a postcode. */
export const isAddress = (words: NameWords, text: string): boolean =>
  words.isStreet(text) || postcode.test(text)

const registered = /\d{6,}|[A-Z]{2} ?\d{2,}|\d{3}[-. ]\d{2,3}[-. ]\d{2,3}/u

/** Whether a line has a number by which a firm is registered or taxed. */
export const isRegistration = (words: NameWords, text: string): boolean =>
  words.isContact(text) && registered.test(text)

/** A block with its document. */
interface PlacedBlock extends BlockContext {
  readonly reading: Reading
  readonly model: PageModel
  readonly block: Block
  readonly first: Phrase
  /** The share of its lines of which something holds. */
  readonly share: (holds: (line: Phrase) => boolean) => number
}

const holds = (values: ReadonlyArray<Candidate> = [], { from, to }: Span): boolean =>
  values.some(({ quality, span }) => quality >= 0.5 && from <= span.from && span.from <= to)

const phrasesUpTo = ({ left }: Phrase): number => (left === undefined ? 1 : 1 + phrasesUpTo(left))

/** What a block says by its place and what kinds of text are in it. */
const blockTable = {
  /** Where its edges are, as shares of the page. */
  blockTop: ({ block: { bbox }, model }) => bbox.y / model.height,
  blockBottom: ({ block: { bbox }, model }) => (bbox.y + bbox.h) / model.height,
  blockLeft: ({ block: { bbox }, model }) => bbox.x / model.width,
  blockRight: ({ block: { bbox }, model }) => (bbox.x + bbox.w) / model.width,
  /** The first of its page. */
  firstBlock: ({ block, reading }) => blocksOf(reading, block.page).all[0] === block,
  /** How many lines it has, on a logarithmic scale. */
  blockLines: ({ block: { lines } }) => Math.log(lines.length),
  /** How much larger its first line is than the lines of the page. */
  largeHead: ({ first, model }) => Math.min(3, first.bbox.h / model.lineHeight - 1),
  /** How many phrases the row of its first line has up to it. */
  phrases: ({ first }) => Math.min(6, phrasesUpTo(first)),
  /** The shares of its lines that are figures alone, have no figures, an amount, a date, or say how a firm is reached. */
  figuresAlone: ({ share }) => share(({ text }) => /^[\d\W]+$/u.test(text)),
  noFigures: ({ share }) => share(({ text }) => !/\d/u.test(text)),
  amounts: ({ reading, share }) =>
    share(({ span }) => holds(reading.moneyByRow.get(rowKey(span.page, span.row)), span)),
  dates: ({ dates, share }) => share(({ span }) => holds(dates.get(rowKey(span.page, span.row)), span)),
  contacts: ({ share, words }) => share(({ text }) => words.isContact(text)),
  /** It has a number by which a firm is registered or taxed. */
  registration: ({ share, words }) => share(({ text }) => isRegistration(words, text)) > 0,
  /** An address is in it; a name of the document's web and mail addresses. */
  address: ({ share, words }) => share(({ text }) => isAddress(words, text)) > 0,
  domain: ({ reading, share }) => share(({ text }) => namesDomain(reading, reading.lexicon.fold(text))) > 0,
  /** It begins with a form of address, or is under one. */
  honorific: ({ block: { above }, first, words }) =>
    [first, above].some((line) => line !== undefined && words.isHonorific(line.text)),
  /** Its first line has a legal form; any of its lines has. */
  firmFirst: ({ first, words }) => words.endsInForm(first.text),
  firm: ({ share, words }) => share(({ text }) => words.endsInForm(text)) > 0
} satisfies FeatureTable<PlacedBlock>

interface BlockOfRole extends PlacedBlock {
  readonly role: Role
}

const isOther = ({ role }: BlockOfRole, label: Role | undefined): boolean =>
  label !== undefined && label !== role

/** What labels say of a block as one of a role. */
const roleTable = {
  /** Its first line begins with a label of the role, or of another one. */
  headed: ({ first, role }) => first.label === role,
  headedOther: (own) => isOther(own, own.first.label),
  /** It is right under such a label. */
  under: ({ block: { above }, role }) => above?.label === role,
  underOther: (own) => isOther(own, own.block.above?.label),
  /** The share of its lines that are right of such a label. */
  behind: ({ role, share }) => share(({ left }) => left?.label === role),
  behindOther: (own) => own.share(({ left }) => isOther(own, left?.label))
} satisfies FeatureTable<BlockOfRole>

/** What the block of a role is fitted from; `bench/learn-ranking.ts` fits each role. */
export type BlockFeature = keyof typeof blockTable | keyof typeof roleTable

/** The first lines tell what a long block is. */
const mostLines = 30

/** The features of a block as one of each role. */
export const blockFeatures = (reading: Reading, block: Block): ByRole<Features> => {
  const [model, [first]] = [reading.pages[block.page], block.lines]
  if (model === undefined || first === undefined) return byRole(() => ({}))
  const lines = block.lines.slice(0, mostLines)
  const share = (isSo: (line: Phrase) => boolean) => lines.filter(isSo).length / lines.length
  const placed: PlacedBlock = { ...contextOf(reading), reading, model, block, first, share }
  const own = computeFeatures(blockTable, placed)
  return byRole((role) => ({ ...own, ...computeFeatures(roleTable, { ...placed, role }) }))
}

const known = new WeakMap<Block, ByRole<number>>()

/** How surely a block has each role, in log-odds. */
export const rolesOf = (reading: Reading, block: Block): ByRole<number> => {
  const before = known.get(block)
  if (before !== undefined) return before
  const features = blockFeatures(reading, block)
  const odds = byRole((role) => roleOdds(role, features[role]))
  known.set(block, odds)
  return odds
}

/** A line of a block, and how surely the block has each role, in log-odds. */
export interface LineOfRole extends BlockLine {
  readonly odds: ByRole<number>
}

/** The line of a block that a value begins in. */
export const lineAt = (reading: Reading, { from, page, row }: Span): LineOfRole | undefined => {
  const inRow = blocksOf(reading, page).inRow.get(row)
  const line = inRow?.find(({ phrase: { span } }) => span.from <= from && from <= span.to)
  return line === undefined ? undefined : { ...line, odds: rolesOf(reading, line.block) }
}
