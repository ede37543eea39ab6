import { textOfWords } from "../../domain/LineText.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import type { PresetName } from "../fields/PresetNames.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { around, type PageModel, type Span, type Token } from "./PageModel.ts"
import type { Reading } from "./Reading.ts"

/** What a block of a page may be for. */
export const roles = ["seller", "customer", "numbers", "totals", "items"] as const
export type Role = (typeof roles)[number]
export type ByRole<A> = Readonly<Record<Role, A>>

/** A value for each role. */
export const byRole = <A>(of: (role: Role) => A): ByRole<A> => ({
  seller: of("seller"),
  customer: of("customer"),
  numbers: of("numbers"),
  items: of("items"),
  totals: of("totals")
})

/** Words of a row that are set together. */
export interface Phrase {
  readonly span: Span
  readonly bbox: Box
  readonly text: string
  /** The role whose label it begins with. */
  readonly label: Role | undefined
  /** What is left of it in its row. */
  readonly left: Phrase | undefined
}

/** Phrases below one another that belong together: a letterhead, an address, a column of labels or amounts. */
export interface Block {
  readonly page: number
  readonly lines: ReadonlyArray<Phrase>
  readonly bbox: Box
  /** The last line of the block above. */
  readonly above: Phrase | undefined
}

/** The labels of which fields begin a block of a role. */
const labelsOfRole: ByRole<ReadonlyArray<PresetName | `invoice.lineItems.${string}`>> = {
  seller: ["invoice.vendorName"],
  customer: ["invoice.customerName"],
  numbers: ["invoice.number", "invoice.date", "invoice.dueDate", "invoice.purchaseOrder"],
  items: ["description", "quantity", "unitPrice", "amount"].map(
    (column) => `invoice.lineItems.${column}` as const
  ),
  totals: ["invoice.subtotal", "invoice.taxAmount", "invoice.totalAmount", "invoice.amountDue"]
}

/** The labels of what any party prints: of no role, although `VAT No` begins with a label of sums. */
const ofAnyParty: ReadonlyArray<PresetName> = [
  "invoice.vendorVatId",
  "invoice.customerVatId",
  "invoice.vendorEmail",
  "invoice.vendorPhone",
  "invoice.iban"
]

const rolesOfLabels = ofLexicon((lexicon): ReadonlyMap<string, Role | undefined> => {
  const folded = (names: ReadonlyArray<string>) =>
    names
      .flatMap((name) => [...lexicon.field(name).labels, ...lexicon.field(name).weak])
      .map((label) => lexicon.foldLabel(label.split("*")[0] ?? ""))
      .filter((label) => label.length > 1)
  const known = new Map<string, Role | undefined>()
  // A label that two roles have is that of the first.
  for (const role of roles)
    for (const label of folded(labelsOfRole[role])) if (!known.has(label)) known.set(label, role)
  for (const label of folded(ofAnyParty)) if (!known.has(label)) known.set(label, undefined)
  return known
})

const mostWords = 6

/** The role whose label words begin with; the longest label counts. */
const labelIn = (lexicon: Lexicon, tokens: ReadonlyArray<Token>): Role | undefined => {
  const known = rolesOfLabels(lexicon)
  let [folded, found]: [string, Role | undefined] = ["", undefined]
  for (const token of tokens.slice(0, mostWords)) {
    folded += token.folded
    if (known.has(folded)) found = known.get(folded)
  }
  return found
}

const phrasesOf = (
  lexicon: Lexicon,
  row: ReadonlyArray<Token>,
  at: Pick<Span, "page" | "row">
): ReadonlyArray<Phrase> => {
  let [from, left]: [number, Phrase | undefined] = [0, undefined]
  return [...Map.groupBy(row, ({ phrase }) => phrase).values()].map((tokens) => {
    const phrase: Phrase = {
      span: { ...at, from, to: from + tokens.length - 1 },
      bbox: around(tokens),
      text: textOfWords(tokens),
      label: labelIn(lexicon, tokens),
      left
    }
    from += tokens.length
    left = phrase
    return phrase
  })
}

/** The gap in line heights from which two lines belong to different blocks, and from which one says nothing of the other. */
const gap = 1.2
const farthest = 2.5
/** How much larger or smaller the letters of another block are. */
const otherSize = 1.4

const bottom = ({ bbox: { h, y } }: Phrase): number => y + h

const overlaps = ({ bbox: one }: Phrase, { bbox: two }: Phrase): boolean =>
  one.x < two.x + two.w && two.x < one.x + one.w

/** Whether two lines begin, end or have their middle at the same place. */
const isAligned = ({ bbox: one }: Phrase, { bbox: two }: Phrase): boolean =>
  [0, 0.5, 1].some(
    (part) => Math.abs(one.x + part * one.w - two.x - part * two.w) < 0.6 * Math.min(one.h, two.h)
  )

/** A block to which lines may still be added. */
interface OpenBlock extends Omit<Block, "bbox" | "lines"> {
  readonly lines: Array<Phrase>
  readonly last: Phrase
  /** The role of its last label. */
  readonly label: Role | undefined
}

/**
 * Whether a line goes on with the block above it: a label of another role or letters of another size begin a block, and what
 * has neither label nor figure ends one of numbers.
 */
const goesOn = ({ label, last }: OpenBlock, phrase: Phrase): boolean => {
  const size = last.bbox.h / phrase.bbox.h
  if (size > otherSize || size < 1 / otherSize) return false
  return phrase.label === undefined
    ? last.label !== "numbers" || /\d/u.test(phrase.text)
    : phrase.label === label
}

/** Joins the phrases of a page from top to bottom: with the one above at the same edge, or with the only one above. */
const findBlocks = (
  { lineHeight, rows }: PageModel,
  lexicon: Lexicon,
  page: number
): ReadonlyArray<Block> => {
  const all: Array<OpenBlock> = []
  let open: ReadonlyArray<OpenBlock> = []
  for (const [row, tokens] of rows.entries()) {
    const phrases = phrasesOf(lexicon, tokens, { page, row })
    const top = Math.min(...phrases.map(({ bbox }) => bbox.y))
    const near = open.filter(({ last }) => top - bottom(last) <= farthest * lineHeight)
    const added = phrases.map((phrase): OpenBlock => {
      const over = near.filter(({ last }) => overlaps(last, phrase))
      const close = over.filter(({ last }) => phrase.bbox.y - bottom(last) <= gap * lineHeight)
      const only = close.find(
        ({ last }) => close.length === 1 && phrases.filter((other) => overlaps(last, other)).length === 1
      )
      const joined = close.find(({ last }) => isAligned(last, phrase)) ?? only
      const isTaken = joined?.lines.at(-1) !== joined?.last
      if (joined !== undefined && !isTaken && goesOn(joined, phrase)) {
        const { above, label, lines } = joined
        lines.push(phrase)
        return { page, lines, last: phrase, label: phrase.label ?? label, above }
      }
      const [above] = over.toSorted((a, b) => bottom(b.last) - bottom(a.last))
      const begun = { page, lines: [phrase], last: phrase, label: phrase.label, above: above?.last }
      all.push(begun)
      return begun
    })
    open = [...near.filter(({ lines }) => !added.some((other) => other.lines === lines)), ...added]
  }
  return all.map(({ above, lines }): Block => {
    const bbox = around(lines.map((line) => line.bbox))
    return { page, lines, above, bbox }
  })
}

/** A line of a block. */
export interface BlockLine {
  readonly phrase: Phrase
  readonly block: Block
  /** Which of its lines, from 0. */
  readonly line: number
}

/** The blocks of a page, from top to bottom, and their lines by row. */
export interface PageBlocks {
  readonly all: ReadonlyArray<Block>
  readonly inRow: ReadonlyMap<number, ReadonlyArray<BlockLine>>
}

const found = new WeakMap<PageModel, PageBlocks>()

/** The blocks of a page, found once. */
export const blocksOf = ({ lexicon, pages }: Reading, page: number): PageBlocks => {
  const model = pages[page]
  if (model === undefined) return { all: [], inRow: new Map() }
  const before = found.get(model)
  if (before !== undefined) return before
  const all = findBlocks(model, lexicon, page)
  const lines = all.flatMap((block) =>
    block.lines.map((phrase, line): BlockLine => ({ phrase, block, line }))
  )
  const blocks = { all, inRow: Map.groupBy(lines, ({ phrase: { span } }) => span.row) }
  found.set(model, blocks)
  return blocks
}
