import * as StepKind from "../../dsl/model/StepKind.ts"
import { Effect, Schema } from "effect"
import { DocumentRef } from "../domain/Document.ts"
import { DocumentIR, recognitionWarnings } from "../domain/DocumentIR.ts"
import { FieldEvidence, missing } from "../domain/Evidence.ts"
import { doubted, kindDoubt, reasonsOfTables } from "../extraction/kinds/KindDoubt.ts"
import { parseEquation } from "../extraction/sums/Equation.ts"
import { refuseEmpty } from "./StepConfig.ts"
import { relationProblems, outputType } from "./extract/FieldsConfig.ts"
import type { RulesResult } from "../extraction/rules/Rules.ts"
import { fieldsOf, type Field } from "../extraction/lexicon/Field.ts"
import { ModelUsed, TokensUsed } from "./models/ModelUse.ts"
import { CurrentLexicon } from "../extraction/lexicon/CurrentLexicon.ts"
import { FieldDefinition } from "../extraction/fields/FieldDefinition.ts"
import { reviewedBelow, ReviewItem, reviewOf } from "./extract/Review.ts"
import type { Found, SourceResult, TaughtAbsence } from "./extract/ExtractSource.ts"
import { embeddedSource } from "./extract/sources/EmbeddedSource.ts"
import { disputed } from "./extract/sources/WeighExamples.ts"
import { examplesSource } from "./extract/sources/ExamplesSource.ts"
import { holdsKind, withConfirmedKind } from "./extract/sources/CorrectedBefore.ts"
import { modelSource } from "./extract/sources/ModelSource.ts"
import { readAhead, rulesSource } from "./extract/sources/RulesSource.ts"
import { defined } from "../support/Defined.ts"

/**
 * Limits the cells of a table to its confidence: what speaks against the table, such as a sum that does not hold or a document of
 * another kind, speaks against each of its cells.
 */
const withinTable = (evidence: FieldEvidence): FieldEvidence => {
  const { cells, confidence } = evidence
  if (cells === undefined) return evidence
  const limited = cells.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, cell]) => [
        column,
        { ...cell, confidence: Math.min(cell.confidence, confidence) }
      ])
    )
  )
  return { ...evidence, cells: limited }
}

/** Removes values that do not appear in the document if their fields must be grounded; says which. */
const refuseInferred = (
  fields: ReadonlyArray<Field>,
  found: Found
): { readonly found: Found; readonly warnings: ReadonlyArray<string> } => {
  const refused = fields.filter(({ name, grounded }) => grounded && found[name]?.status === "inferred")
  return {
    found: { ...found, ...Object.fromEntries(refused.map(({ name }) => [name, missing])) },
    warnings: refused.map(({ name }) => `${name}: the value does not appear in the document and is dropped.`)
  }
}

const isEquation = Schema.makeFilter((text: string) => parseEquation(text) !== undefined, {
  expected: "a sum of fields, such as subtotal + taxAmount = totalAmount"
})

/** The configuration of an `extract` step. */
export const ExtractConfig = Schema.Struct({
  document: DocumentIR.annotate({
    description: "Document to search, usually `${{ steps.read.document }}`."
  }),
  using: Schema.Array(Schema.Literals(["rules", "llm", "embedded", "examples"])).annotate({
    description:
      "Sources, the cheapest first. Each further source is used only for fields that are missing or in doubt."
  }),
  model: Schema.optionalKey(
    Schema.String.annotate({
      description: "A model of DOCFLOW_LLM. Default: the first one."
    })
  ),
  passes: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 })).annotate({
      description:
        "How often a model is asked for the rows of tables, each time in parts half as long. Rows that it overlooked before are added. Default: 1."
    })
  ),
  pictures: Schema.optionalKey(
    DocumentRef.annotate({
      description:
        "The file that the document was read from, usually `${{ input.document }}`. Models with vision are shown pictures of its pages. A value that a model reads there is `inferred`: it has a page, but no bounding box."
    })
  ),
  picturesOf: Schema.optionalKey(
    Schema.Literals(["unread", "scanned", "all"]).annotate({
      description:
        "Which pages to show as pictures: those without text or with a problem (`unread`), also those whose text was recognized (`scanned`; the model is told that the picture counts), or all of them (`all`). Pages with text are shown as text too. Default: unread."
    })
  ),
  locale: Schema.optionalKey(
    Schema.Struct({
      dateOrder: Schema.optionalKey(
        Schema.Literals(["DMY", "MDY"]).annotate({
          description: "Order of day and month in numeric dates. Default: detected from the document."
        })
      )
    })
  ),
  fields: Schema.Record(Schema.String, FieldDefinition),
  relations: Schema.optionalKey(
    Schema.Array(Schema.String.check(isEquation)).annotate({
      description:
        "Sums that the amounts must satisfy, used to choose between candidates: `subtotal + taxAmount = totalAmount`, `sum(lineItems.amount) = subtotal`. A sum that does not hold lowers the confidence of its fields and adds a warning with the numbers."
    })
  ),
  review: Schema.optionalKey(
    Schema.Struct({
      below: Schema.Finite.annotate({
        description: "Confidence below which a field is listed in `review`. Default: 0.8."
      }).check(Schema.isBetween({ minimum: 0, maximum: 1 }))
    })
  )
})

/** The output of an `extract` step. A field that was not found is null and `missing`. */
export const ExtractOutput = Schema.Struct({
  values: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description:
      "Values by the names of their fields. A field that was not found is null; a table that was not found is empty."
  }),
  fields: Schema.Record(Schema.String, FieldEvidence).annotate({
    description: "Evidence for each value, by the names of the fields."
  }),
  warnings: Schema.Array(Schema.String).annotate({
    description: "Warnings: values that disagree, pages that a model could not be asked about."
  }),
  review: Schema.Array(ReviewItem).annotate({ description: "Fields that need review, and why." }),
  tokensUsed: TokensUsed,
  model: ModelUsed
})

/** Whether a configuration, as written, asks no model: then the step calls no service. */
const asksNoModel = Schema.is(
  Schema.Struct({ using: Schema.Array(Schema.Literals(["rules", "embedded", "examples"])) })
)

const sources = { embedded: embeddedSource, examples: examplesSource, llm: modelSource }

const joined = (before: SourceResult, after: SourceResult): SourceResult => ({
  found: after.found,
  warnings: [...before.warnings, ...after.warnings],
  tokensUsed: before.tokensUsed + after.tokensUsed,
  model: after.model ?? before.model,
  ...defined({
    confirmedKind: after.confirmedKind ?? before.confirmedKind,
    correctedNames: after.correctedNames ?? before.correctedNames,
    absent: after.absent ?? before.absent,
    alike: after.alike ?? before.alike,
    reasons: after.reasons ?? before.reasons
  })
})

const isApart = (one: FieldEvidence, { bbox, page }: Pick<FieldEvidence, "page" | "bbox">): boolean => {
  if (one.bbox === undefined || bbox === undefined) return false
  const { h, w, x, y } = one.bbox
  return one.page !== page || x > bbox.x + bbox.w || bbox.x > x + w || y > bbox.y + bbox.h || bbox.y > y + h
}

/** Drops the values that people removed from checked documents of the same layout, or sends them to review. */
const withoutAbsent = (found: Found, absent: Readonly<Record<string, TaughtAbsence>>): Found => ({
  ...found,
  ...Object.fromEntries(
    Object.entries(absent).flatMap(([name, { certain, place, reason }]) => {
      const one = found[name]
      if (one === undefined || one.status === "missing") return []
      // A value that is printed elsewhere may be one after all.
      if (certain && (place === undefined || !isApart(one, place))) return [[name, missing]]
      return [[name, { ...one, confidence: Math.min(one.confidence, disputed), doubts: [reason] }]]
    })
  )
})

/** The value of a field; tables are never null, but empty. */
const valueOf = (type: string, evidence: FieldEvidence): unknown =>
  type === "table" && evidence.status === "missing" ? [] : evidence.value

/** Adds the attachment to values that were read from one, because their places are not in the document that was sent. */
const inFile = (
  fields: { readonly [name: string]: FieldEvidence },
  { extras }: DocumentIR
): { readonly [name: string]: FieldEvidence } => {
  const file = extras.attachment?.name
  if (file === undefined) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, found]) => [
      name,
      found.status === "missing" ? found : { ...found, file }
    ])
  )
}

const noSource = refuseEmpty("using", "At least one source is required, such as rules.")
const noField = refuseEmpty("fields", "At least one field is required, such as total: { type: money }.")

/** The step kind `extract`: extracts named fields of a document, each with the place where it was read. */
export const extract = StepKind.make("extract", {
  description:
    "Find fields in a document by their labels, their form and the sums that they add up to. Every value comes with its page, bounding box, text and confidence. Models with vision can be shown pages that could not be read.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: fields
  uses: extract
  with:
    document: "\${{ steps.read.document }}"
    using: [embedded, rules]
    fields:
      total: { preset: invoice.totalAmount }
      orderNumber: { type: identifier, labels: [Order number, Purchase order], pattern: "PO-[0-9]{6}" }
      lines:
        type: table
        columns:
          sku: { type: string, labels: [SKU, Article] }
          quantity: { type: number, labels: [Quantity, Qty] }
          amount: { type: money, labels: [Amount, Total] }
    relations: [sum(lines.amount) = total]`,
  config: ExtractConfig,
  output: ExtractOutput,
  asksModel: true,
  errors: { LlmFailure: "PROVIDER_ERROR" },
  onlyComputes: asksNoModel,
  outputType,
  problems: (config) => [...noSource(config), ...noField(config), ...relationProblems(config)],
  run: Effect.fnUntraced(function* (config, context) {
    const lexicon = yield* CurrentLexicon
    const fields = fieldsOf(config.fields, lexicon)
    const dateOrder = config.locale?.dateOrder
    const request = {
      document: config.document,
      fields,
      relations: config.relations ?? [],
      ...defined({ dateOrder, model: config.model, passes: config.passes }),
      ...(config.pictures === undefined
        ? {}
        : { pictures: { file: config.pictures, of: config.picturesOf ?? "unread" } }),
      context
    }
    let result: SourceResult = {
      found: Object.fromEntries(fields.map(({ name }) => [name, missing])),
      warnings: recognitionWarnings(config.document),
      tokensUsed: 0,
      model: null
    }
    let ahead: Effect.Effect<RulesResult> | undefined
    for (const [index, name] of config.using.entries()) {
      const progress = (fraction: number) => context.progress((index + fraction) / config.using.length)
      const { alike, correctedNames, found: before } = result
      const asked = {
        ...request,
        found: before,
        ...defined({ alike, correctedNames }),
        context: { ...context, progress }
      }
      // Examples are looked up in storage. Rules read all that they leave open, and need not wait for that.
      if (name === "examples" && config.using[index + 1] === "rules") ahead ??= yield* readAhead(asked)
      const next: SourceResult = yield* name === "rules" ? rulesSource(asked, ahead) : sources[name](asked)
      if (next.byRules !== undefined) ahead = Effect.succeed(next.byRules)
      result = joined(result, next)
      yield* progress(1)
    }
    const { absent = {}, confirmedKind } = result
    const isKnownKind = holdsKind(confirmedKind, result.found)
    const present = withoutAbsent(result.found, absent)
    const all = isKnownKind ? withConfirmedKind(present, confirmedKind) : present
    const { found, warnings } = refuseInferred(fields, all)
    const values = fields.flatMap(({ name, type }) => {
      const evidence = found[name]
      return evidence === undefined ? [] : [[name, valueOf(type, evidence)] as const]
    })
    const doubt = kindDoubt(config.document, fields, lexicon, isKnownKind ? confirmedKind.value : undefined)
    const judged = doubt.otherKind ? doubted(fields, found) : found
    const evidence = Object.fromEntries(Object.entries(judged).map(([name, one]) => [name, withinTable(one)]))
    const told = [...doubt.warnings, ...result.warnings, ...warnings]
    return {
      values: Object.fromEntries(values),
      fields: inFile(evidence, config.document),
      warnings: told,
      review: reviewOf(fields, evidence, {
        below: config.review?.below ?? reviewedBelow,
        relations: request.relations,
        warnings: told,
        reasons: new Map([
          ...(doubt.otherKind ? reasonsOfTables(fields, found) : []),
          ...(result.reasons ?? [])
        ])
      }),
      tokensUsed: result.tokensUsed,
      model: result.model
    }
  })
})
