import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { pageModel } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import {
  bills,
  documentKindOf,
  fitOfKind,
  fits,
  kindOfReading,
  type KindVerdict,
  knownKind,
  leastFit,
  pagesRead,
  rememberKind,
  sumOf
} from "./DocumentKind.ts"

/** From which probability a document is a receipt instead of an invoice, or the other way round. */
const clearlyOther = 0.6

/** The maximum confidence of values in a document of another kind. */
const mostInDoubt = 0.85
/** That of its tables, which have rows of something else: of debts, of what was delivered. A person reviews them. */
const tableInDoubt = 0.75

/** The family of presets that some fields are of; the preset of currencies says nothing. */
const familyOf = (fields: ReadonlyArray<Field>): "invoice" | "receipt" | undefined =>
  (["invoice", "receipt"] as const).find((family) =>
    fields.some(({ preset }) => preset?.startsWith(`${family}.`) === true && preset !== "invoice.currency")
  )

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

const unknownLanguage =
  "The document is in a language that the lexicon does not have: fields are found by labels of other languages only. Add the language with DOCFLOW_LEXICON, or labels to the fields."

/** How a kind is called in a warning. */
const calledA = (kind: string): string => `${/^[io]/u.test(kind) ? "an" : "a"} ${kind.replaceAll("-", " ")}`

const doubtAbout = (verdict: KindVerdict, family: "invoice" | "receipt"): string | undefined => {
  const { evidence, probabilities } = verdict
  // `TAX INVOICE` on the roll of a till: the law of many countries wants it, and what an invoice has is on it.
  const others = probabilities.filter(([kind]) =>
    family === "receipt" ? bills.has(kind) : kind === "receipt" && !verdict.saysInvoice
  )
  const [other] = (sumOf(others) >= clearlyOther ? others[0] : undefined) ?? []
  const kind = other ?? (fits(verdict.kind) ? "other" : verdict.kind)
  if (kind !== "other") {
    const words = new Set(evidence.slice(0, 3).map(({ text }) => JSON.stringify(text)))
    const shown = words.size === 0 ? "" : ` (${[...words].join(", ")})`
    return `The document looks like ${calledA(kind)}${shown}, not like ${calledA(family)}: check every field.`
  }
  return fitOfKind(verdict) < leastFit
    ? `Nothing shows that the document is ${calledA(family)}: check every field.`
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
  known = "other"
): KindDoubt => {
  const family = familyOf(fields)
  const pages = document.pages.slice(0, pagesRead)
  if (
    family === undefined ||
    document.extras.invoice !== undefined ||
    pages.every(({ lines }) => lines.length === 0)
  )
    return { otherKind: false, warnings: [] }
  const verdict =
    knownKind(document) ??
    rememberKind(
      document,
      documentKindOf(
        pages.map((page) => pageModel(page, lexicon)),
        lexicon
      )
    )
  const doubt = fits(known) ? undefined : doubtAbout(verdict, family)
  return {
    otherKind: doubt !== undefined,
    warnings: [doubt ?? [], verdict.languages.unknown ? unknownLanguage : []].flat()
  }
}

/** The evidence of fields in a document of another kind: none is sure but the currency and the kind itself. */
export const doubted = (
  fields: ReadonlyArray<Field>,
  found: Readonly<Record<string, FieldEvidence>>
): Record<string, FieldEvidence> =>
  Object.fromEntries(
    Object.entries(found).map(([name, evidence]) => {
      const { finder, type } = fields.find((other) => other.name === name) ?? {}
      if (type === "currency" || finder === "kind") return [name, evidence]
      const most = type === "table" ? tableInDoubt : mostInDoubt
      return [name, { ...evidence, confidence: Math.min(most, evidence.confidence) }]
    })
  )
