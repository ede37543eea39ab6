import type { Finder } from "./Finder.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { around, tokensOf } from "../layout/PageModel.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import type { Reading } from "../layout/Reading.ts"
import type { KindVerdict } from "../kinds/DocumentKind.ts"
import { fitOfKind, leastFit } from "../kinds/KindDoubt.ts"
import { kindOfReading } from "../kinds/KindOfReading.ts"

/** Where on the first page a title is. */
const titleArea = 0.4

/** A title between other words, as in `Example Credit Union Ltd`, counts only where no other one is printed. */
const wholeTitle = 0.8

const foldedTitles = new WeakMap<Field, ReadonlySet<string>>()

/** The titles of invoices in the form in which labels are compared. */
const titlesOfInvoices = (field: Field, lexicon: Lexicon): ReadonlySet<string> => {
  const titles = foldedTitles.get(field) ?? new Set(field.weak.map(lexicon.foldLabel))
  foldedTitles.set(field, titles)
  return titles
}

/** By the words in the upper part of the first page: the largest decide, and of those of one size the first. */
const invoiceOrCreditNote = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const ordinary = titlesOfInvoices(field, reading.lexicon)
  const height = reading.pages[0]?.height ?? 0
  const titles = reading.labels.filter(
    ({ label, span, bbox }) =>
      label.names && label.field === field.name && span.page === 0 && bbox.y < titleArea * height
  )
  const whole = titles.filter(({ quality }) => quality >= wholeTitle)
  return (whole.length > 0 ? whole : titles)
    .toSorted((a, b) => Math.round(b.bbox.h) - Math.round(a.bbox.h) || a.span.row - b.span.row)
    .slice(0, 1)
    .map((match) => {
      const isOrdinary = ordinary.has(match.label.folded)
      return {
        span: match.span,
        bbox: match.bbox,
        text: tokensOf(reading.pages, match.span)
          .map((token) => token.text)
          .join(" "),
        value: isOrdinary ? "invoice" : "credit-note",
        quality: match.quality,
        score: 0.9 * match.quality
      }
    })
}

/** The kind that the words of a document show, with the first of them. */
const shownKind = (reading: Reading, verdict: KindVerdict): Array<Ranked<string>> => {
  const { evidence, kind, probability } = verdict
  const [first] = evidence
  const { from = 0, page = 0, row = 0, to = 0 } = first ?? {}
  const span = { page, row, from, to }
  const tokens = tokensOf(reading.pages, span)
  if (tokens.length === 0) return []
  return [
    {
      span,
      bbox: around(tokens),
      text: tokens.map(({ text }) => text).join(" "),
      value: kind,
      quality: 1,
      score: Math.min(0.9, probability),
      ...(first === undefined ? { computed: true } : {})
    }
  ]
}

/**
 * The kind of a document: `invoice`, `credit-note`, or the kind that its titles and words show; `other` if they show
 * none that is known.
 */
export const kindsOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const verdict = kindOfReading(reading)
  const isOther = verdict.kind === "other" && fitOfKind(verdict) < leastFit
  const isNamed = verdict.kind !== "other" && verdict.kind !== "invoice" && verdict.kind !== "credit-note"
  if (isOther || isNamed) return shownKind(reading, verdict)
  const titled = invoiceOrCreditNote(reading, field)
  // `FATTURA n. 347/2025`: the title is a part of another label, but a title all the same.
  return titled.length > 0 || verdict.kind === "other" ? titled : shownKind(reading, verdict)
}

/** Finds out what the document is; one without a title that could be an invoice is taken for one. */
export const kindFinder: Finder = {
  find: kindsOf,
  otherwise: { value: "invoice", confidence: 0.5, status: "inferred", by: "rules" }
}
