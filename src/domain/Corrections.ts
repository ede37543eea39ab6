import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"
import { ErrorDetails } from "./Errors.ts"

/** A field of an extraction, or a cell of a table. */
const target = {
  step: Schema.String.annotate({ description: "Path of the step that extracted the field." }),
  field: Schema.String,
  row: Schema.optionalKey(Schema.Int.annotate({ description: "Row of a table, from 0." })),
  column: Schema.optionalKey(Schema.String)
}

/** A place on a page: `bbox` is in points of the upright page, as `GET /runs/{executionId}/pages/{page}` has it. */
const place = {
  page: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  bbox: Schema.optionalKey(Box)
}

/** The maximum size of a corrected value, in characters of JSON: enough for a whole table. */
const maxValue = 65_536

const Value = Schema.Unknown.check(
  Schema.makeFilter((value) => JSON.stringify(value ?? null).length <= maxValue, {
    message: `Expected at most ${maxValue} characters of JSON`
  })
)

/** A value that a person corrects or accepts. */
export const Correction = Schema.Struct({
  ...target,
  value: Schema.optionalKey(
    Value.annotate({
      description:
        "The right value. If omitted, the text in `bbox` is read. If both are omitted, the extracted value is accepted."
    })
  ),
  ...place
})
export type Correction = typeof Correction.Type

/** The database counts revisions in 32 bits. */
const maxRevision = 2_000_000_000

/** What the dashboard sends to save corrections of fields. */
export const SaveCorrections = Schema.Struct({
  revision: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxRevision })).annotate({
    description: "The revision that the caller has seen: 0 if nothing was corrected yet."
  }),
  reverted: Schema.optionalKey(
    Schema.Array(Schema.Struct(target)).check(Schema.isMaxLength(2000)).annotate({
      description:
        "Fields and cells that return to what was extracted, unchecked, before `corrections` are applied; with a table, its cells too."
    })
  ),
  corrections: Schema.Array(Correction).check(Schema.isMaxLength(2000))
})
export type SaveCorrections = typeof SaveCorrections.Type

/** A value that a person corrected or accepted, who did so and when. */
export const CorrectedField = Schema.Struct({
  ...target,
  value: Schema.Unknown,
  accepted: Schema.Boolean.annotate({ description: "Whether it is the value that was extracted." }),
  ...place,
  by: Schema.String.annotate({
    description: "`key` and the id of the key, or `session` for the dashboard."
  }),
  at: Schema.String
})
export type CorrectedField = typeof CorrectedField.Type

const noteFields = {
  kind: Schema.Literals(["not-learned", "conflict"]).annotate({
    description:
      "`not-learned`: later documents do not profit from the correction. `conflict`: other checked documents of the layout say something else."
  }),
  message: Schema.String
}

const documents = Schema.Array(Schema.NullOr(Schema.String)).annotate({
  description: "Executions of the checked documents that say so; null for one that was imported."
})

/** What the saver of corrections should know, by path. */
export const notesByPath = Schema.optionalKey(
  Schema.Array(Schema.Struct({ path: Schema.String, ...noteFields })).annotate({
    description: "Which corrections are not learned, and which contradict other checked documents."
  })
)

/** What other checked documents say, by path. */
export const taughtByPath = Schema.optionalKey(
  Schema.Array(Schema.Struct({ path: Schema.String, value: Schema.Unknown, documents })).annotate({
    description:
      "Values that other checked documents of the same layout give for this document: read them before you save another value."
  })
)

/** What the saver of corrections should know of one of them. */
const CorrectionNote = Schema.Struct({ ...target, ...noteFields })
export type CorrectionNote = typeof CorrectionNote.Type

/** What checked documents of the same layout say of a field of this document. */
const TaughtValue = Schema.Struct({
  step: Schema.String,
  field: Schema.String,
  value: Schema.Unknown,
  documents
})
export type TaughtValue = typeof TaughtValue.Type

/** The corrections of an execution, by the fields of its steps. */
export const Corrections = Schema.Struct({
  revision: Schema.Int,
  corrections: Schema.Array(CorrectedField),
  open: Schema.Int.annotate({ description: "Fields in `review` that nobody corrected or accepted yet." }),
  notes: Schema.optionalKey(Schema.Array(CorrectionNote)),
  taught: Schema.optionalKey(Schema.Array(TaughtValue)),
  output: Schema.optionalKey(
    Schema.Unknown.annotate({
      description: "The output with the corrected values. The execution's own output does not change."
    })
  )
})
export type Corrections = typeof Corrections.Type

/** Somebody else saved corrections in the meantime. */
export class CorrectionsOutdated extends Schema.TaggedError<CorrectionsOutdated>()(
  "CorrectionsOutdated",
  { message: Schema.String, details: Schema.optionalKey(ErrorDetails) },
  { httpApiStatus: 409 }
) {}
