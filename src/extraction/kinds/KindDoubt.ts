import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Field } from "../lexicon/Field.ts"
import { type DocumentKind, documentKinds } from "../lexicon/DocumentKinds.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { pageModel } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { documentKindOf, kindOfReading, type KindVerdict, pagesRead } from "./DocumentKind.ts"

type Family = "invoice" | "receipt"

/** The kinds for which a family of presets is made: a receipt may be called an invoice, and vice versa. */
const fitting: ReadonlySet<string> = new Set(["invoice", "credit-note", "receipt", "utility-bill"])

/** The kinds that each family of presets is made for. */
const ofFamily: Readonly<Record<Family, ReadonlySet<string>>> = {
  invoice: new Set(["invoice", "credit-note", "utility-bill"]),
  receipt: new Set(["receipt"])
}

/** From which probability a document is a receipt instead of an invoice, or the other way round. */
const clearlyOther = 0.6

/** How a kind is called in a warning. */
const calledA: Readonly<Record<DocumentKind, string>> = {
  invoice: "an invoice",
  proforma: "a proforma invoice",
  "credit-note": "a credit note",
  receipt: "a receipt",
  "purchase-order": "a purchase order",
  "order-confirmation": "an order confirmation",
  "delivery-note": "a delivery note",
  statement: "a statement",
  quote: "a quote",
  reminder: "a payment reminder",
  "utility-bill": "a utility bill",
  payslip: "a payslip",
  contract: "a contract"
}

/** Below this probability of all fitting kinds together, a document is rather of another kind. */
export const leastFit = 0.45

/** The maximum confidence of values in a document of another kind. */
const mostInDoubt = 0.85
/** That of its tables, which have rows of something else: of debts, of what was delivered. A person reviews them. */
const tableInDoubt = 0.75

const familyOf = (fields: ReadonlyArray<Field>): Family | undefined =>
  (["invoice", "receipt"] as const).find((family) =>
    fields.some(({ preset }) => preset?.startsWith(`${family}.`) === true && preset !== "invoice.currency")
  )

const shown = ({ evidence }: KindVerdict): string => {
  const words = [...new Set(evidence.slice(0, 3).map(({ text }) => JSON.stringify(text)))]
  return words.length === 0 ? "" : ` (${words.join(", ")})`
}

/** How probable it is that a document is of a kind that the presets of invoices and receipts are made for. */
export const fitOfKind = ({ probabilities }: KindVerdict): number =>
  probabilities.reduce((sum, [kind, probability]) => sum + (fitting.has(kind) ? probability : 0), 0)

const verdicts = new WeakMap<DocumentIR, { readonly lexicon: Lexicon; readonly verdict: KindVerdict }>()

/** The kind of a document, if it was asked for before. */
export const knownKind = (document: DocumentIR, lexicon: Lexicon): KindVerdict | undefined => {
  const known = verdicts.get(document)
  return known?.lexicon === lexicon ? known.verdict : undefined
}

/** Keeps the kind of a document that was found out elsewhere. */
export const rememberKind = (document: DocumentIR, lexicon: Lexicon, verdict: KindVerdict): void => {
  verdicts.set(document, { lexicon, verdict })
}

/** The kind of a document; cached with the document, because several callers need it. */
const verdictOf = (document: DocumentIR, lexicon: Lexicon): KindVerdict => {
  const known = knownKind(document, lexicon)
  if (known !== undefined) return known
  const verdict = documentKindOf(
    document.pages.slice(0, pagesRead).map((page) => pageModel(page, lexicon)),
    lexicon
  )
  rememberKind(document, lexicon, verdict)
  return verdict
}

/** The evidence against a document being of a kind that the presets of `fields` are for, 0–1; 0 without presets. */
export const kindMisfit = (reading: Reading, fields: ReadonlyArray<Field>): number =>
  familyOf(fields) === undefined ? 0 : 1 - fitOfKind(kindOfReading(reading))

/** Why the tables that were found in a document of another kind are in doubt, by field. */
export const reasonsOfTables = (
  fields: ReadonlyArray<Field>,
  found: Readonly<Record<string, FieldEvidence>>
): ReadonlyArray<readonly [string, string]> =>
  fields.flatMap(({ name, type }) =>
    type === "table" && found[name]?.status !== "missing"
      ? [[name, "The document looks like one of another kind: its rows may be no items."]]
      : []
  )

/** What a person should know before trusting the fields of a document. */
export interface KindDoubt {
  /** Whether the document is of another kind than the presets are made for: no field is sure. */
  readonly otherKind: boolean
  readonly warnings: ReadonlyArray<string>
}

const none: KindDoubt = { otherKind: false, warnings: [] }

const unknownLanguage =
  "The document is in a language that the lexicon does not have: fields are found by labels of other languages only. Add the language with DOCFLOW_LEXICON, or labels to the fields."

/** The most probable kind of the other family, where a receipt is read as an invoice or the other way round. */
const kindOfOtherFamily = ({ probabilities }: KindVerdict, family: Family): DocumentKind | undefined => {
  const others = documentKinds.filter((kind) => fitting.has(kind) && !ofFamily[family].has(kind))
  const known = new Map(probabilities)
  const total = others.reduce((sum, kind) => sum + (known.get(kind) ?? 0), 0)
  if (total < clearlyOther) return undefined
  return others.toSorted((left, right) => (known.get(right) ?? 0) - (known.get(left) ?? 0))[0]
}

const doubtAbout = (verdict: KindVerdict, family: Family): string | undefined => {
  const expected = calledA[family]
  // `TAX INVOICE` on the roll of a till: the law of many countries wants it, and what an invoice has is on it.
  const mayBeBoth = family === "invoice" && verdict.saysInvoice
  const ofOther = mayBeBoth ? undefined : kindOfOtherFamily(verdict, family)
  const kind = ofOther ?? (fitting.has(verdict.kind) ? "other" : verdict.kind)
  if (kind !== "other")
    return `The document looks like ${calledA[kind]}${shown(verdict)}, not like ${expected}: check every field.`
  return fitOfKind(verdict) < leastFit
    ? `Nothing shows that the document is ${expected}: check every field.`
    : undefined
}

/**
 * What speaks against reading a document with the presets of invoices or receipts: it is of another kind, such as a bank
 * statement, or in a language that the lexicon lacks. Nothing where no such preset is used, where the document carries an
 * electronic invoice, and where no page has text. `known`: the kind that a person gave a document of the same layout.
 */
export const kindDoubt = (
  document: DocumentIR,
  fields: ReadonlyArray<Field>,
  lexicon: Lexicon,
  known?: string
): KindDoubt => {
  const family = familyOf(fields)
  if (family === undefined || document.extras.invoice !== undefined) return none
  if (document.pages.slice(0, pagesRead).every(({ lines }) => lines.length === 0)) return none
  const verdict = verdictOf(document, lexicon)
  const isKnown = known !== undefined && fitting.has(known)
  const doubt = isKnown ? undefined : doubtAbout(verdict, family)
  return {
    otherKind: doubt !== undefined,
    warnings: [
      ...(doubt === undefined ? [] : [doubt]),
      ...(verdict.languages.unknown ? [unknownLanguage] : [])
    ]
  }
}

/** The evidence of fields in a document of another kind: none is sure but the currency and the kind itself. */
export const doubted = (
  fields: ReadonlyArray<Field>,
  found: Readonly<Record<string, FieldEvidence>>
): Record<string, FieldEvidence> =>
  Object.fromEntries(
    Object.entries(found).map(([name, evidence]) => {
      const field = fields.find((other) => other.name === name)
      const isSpared = field?.type === "currency" || field?.finder === "kind"
      const most = field?.type === "table" ? tableInDoubt : mostInDoubt
      if (isSpared || evidence.confidence <= most) return [name, evidence]
      return [name, { ...evidence, confidence: most }]
    })
  )
