import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import type { PicturesOf } from "../models/PagePictures.ts"
import type { DateOrder } from "../../extraction/values/Dates.ts"
import type { Field } from "../../extraction/lexicon/Field.ts"
import type { AlikeExample } from "./sources/WeighExamples.ts"
import type { RulesResult } from "../../extraction/rules/Rules.ts"

/** The evidence for each field so far, by name. */
export type Found = Readonly<Record<string, FieldEvidence>>

/** The kind that a person gave a document of the same layout. */
export interface ConfirmedKind {
  /** The field of the flow that is the kind. */
  readonly field: string
  readonly value: string
  /** The wrong kind that was read in that document, if the person corrected it. */
  readonly instead?: string
}

/** A name that a person corrected in a document of the same layout, by its field. */
export interface CorrectedName {
  readonly value: string
  /** The wrong one that was read there. */
  readonly instead: string
  readonly confidence: number
  readonly learnedFrom: NonNullable<FieldEvidence["learnedFrom"]>
}

/** What checked documents of the same layout say of a field that none of them has. */
export interface TaughtAbsence {
  /** Whether several documents agree, and none says otherwise: the value is dropped. Else it goes to review. */
  readonly certain: boolean
  /** Where the removed value would be printed in this document, if that is known. */
  readonly place?: Pick<FieldEvidence, "page" | "bbox">
  readonly reason: string
}

/** The request to a source of values (embedded data, rules, a model). */
export interface SourceRequest {
  readonly document: DocumentIR
  readonly fields: ReadonlyArray<Field>
  /** `subtotal + taxAmount = totalAmount` and the like. */
  readonly relations: ReadonlyArray<string>
  readonly dateOrder?: DateOrder
  /** The results of earlier sources. */
  readonly found: Found
  /** The model that the step names. */
  readonly model?: string
  /** The file of the document, if a model may be shown pictures of its pages. */
  readonly pictures?: { readonly of: PicturesOf; readonly file: DocumentRef }
  /** Checked documents that are alike, which count the most first: a model is shown some. */
  readonly alike?: ReadonlyArray<AlikeExample>
  /** How often a model is asked for tables. */
  readonly passes?: number
  /** What people corrected before: rules that make the same mistake again are wrong again. */
  readonly correctedNames?: Readonly<Record<string, CorrectedName>>
  readonly context: StepContext
}

/** The result of a source: `found` includes the fields of earlier sources. */
export interface SourceResult {
  readonly found: Found
  /** What a person should know: values that disagree, pages that could not be asked about. */
  readonly warnings: ReadonlyArray<string>
  readonly tokensUsed: number
  readonly model: string | null
  readonly confirmedKind?: ConfirmedKind
  readonly correctedNames?: Readonly<Record<string, CorrectedName>>
  readonly absent?: Readonly<Record<string, TaughtAbsence>>
  readonly alike?: ReadonlyArray<AlikeExample>
  /** Why values that rules found are in doubt, in a sentence, by field. */
  readonly reasons?: ReadonlyMap<string, string>
  /** What rules read of the document, if the source compared it with that. */
  readonly byRules?: RulesResult
}

/** The fields that no source has found yet. */
export const missingOf = (fields: ReadonlyArray<Field>, found: Found): ReadonlyArray<Field> =>
  fields.filter(({ name }) => (found[name]?.status ?? "missing") === "missing")
