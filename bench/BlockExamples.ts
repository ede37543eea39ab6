import { Effect } from "effect"
import { blockFeatures } from "../src/extraction/candidates/BlockRoles.ts"
import type { Features } from "../src/extraction/Features.ts"
import { type Block, blocksOf, type ByRole, roles } from "../src/extraction/layout/PageBlocks.ts"
import type { Candidate } from "../src/extraction/layout/Candidate.ts"
import { type Reading, readDocument } from "../src/extraction/layout/Reading.ts"
import type { Example } from "./Example.ts"
import { fieldsOf } from "./Judgements.ts"
import type { CandidateList } from "./RankingExamples.ts"

const sumFields = ["subtotal", "taxAmount", "totalAmount"]

/**
 * Which roles a block has, as far as the truth of a document tells: it holds the seller's name, the number or a date, amounts of
 * two rows, or a sum. A customer's block is what a label or a form of address says is one, with an address.
 */
const rolesOf = (
  reading: Reading,
  { tables, truth }: Example,
  block: Block,
  features: ByRole<Features>
): ByRole<boolean> => {
  const { lines } = block
  const isIn = ({ quality, span }: Candidate) =>
    quality >= 0.5 &&
    lines.some(
      ({ span: own }) =>
        own.page === span.page && own.row === span.row && own.from <= span.from && span.from <= own.to
    )
  const amounts = new Set(reading.money.filter(isIn).map(({ value }) => Math.abs(value)))
  const held = (values: ReadonlyArray<unknown>) =>
    values.filter((value) => typeof value === "number" && value !== 0 && amounts.has(Math.abs(value))).length
  const sums = held(sumFields.flatMap((field) => truth[field] ?? []))
  const rows = tables?.[0]?.map(([, , , amount]) => amount) ?? []
  const text = lines.map((line) => line.text).join(" ")
  const holds = (fields: ReadonlyArray<string>) =>
    fields
      .flatMap((field) => truth[field] ?? [])
      .some(
        (value) =>
          typeof value === "string" && reading.lexicon.fold(text).includes(reading.lexicon.fold(value))
      )
  const days = new Set(["invoiceDate", "dueDate"].flatMap((field) => truth[field] ?? []))
  const isSeller = holds(["vendorName"])
  const { headed, honorific, under } = features.customer
  return {
    seller: isSeller,
    customer:
      !isSeller && features.customer.address === 1 && (headed === 1 || honorific === 1 || under === 1),
    numbers: holds(["invoiceNumber"]) || reading.dates.some((date) => days.has(date.value) && isIn(date)),
    items: sums === 0 && rows.length > 0 && held(rows) >= Math.min(2, rows.length),
    totals: sums > 0
  }
}

const labelFeatures: ReadonlySet<string> = new Set([
  "headed",
  "headedOther",
  "under",
  "underOther",
  "behind",
  "behindOther"
])

const withoutLabels = (features: Features): Features =>
  Object.fromEntries(Object.entries(features).filter(([name]) => !labelFeatures.has(name)))

/** The blocks of an invoice as those of each role; without what labels say where `knowsLabels` is false. */
export const blockLists = Effect.fnUntraced(function* (example: Example, knowsLabels: boolean) {
  if (example.flow !== "invoice" || (example.truth["vendorName"] ?? []).length === 0) return []
  const reading = yield* readDocument(example.document, fieldsOf("invoice"), undefined)
  const blocks = reading.pages.flatMap((_, page) =>
    blocksOf(reading, page).all.map((block) => {
      const features = blockFeatures(reading, block)
      return { features, roles: rolesOf(reading, example, block, features) }
    })
  )
  // Nothing shows which blocks hold items where the truth has no rows.
  const known = roles.filter((role) => role !== "items" || example.tables !== undefined)
  return known.map((role): CandidateList => ({
    kind: `${role} block`,
    family: example.family,
    source: example.source,
    mayBeNothing: !blocks.some((block) => block.roles[role]),
    candidates: blocks.map((block) => ({
      features: knowsLabels ? block.features[role] : withoutLabels(block.features[role]),
      right: block.roles[role]
    }))
  }))
})
