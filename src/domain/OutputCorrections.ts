import { Schema } from "effect"
import { CorrectedField, Correction, notesByPath, SaveCorrections, taughtByPath } from "./Corrections.ts"

const Path = Schema.String.check(Schema.isMaxLength(2000)).annotate({
  description:
    "JSON Pointer of a value, a table, a row or a cell in `output`, such as `/totalAmount` or `/lineItems/0/amount`. " +
    "`lineItems.0.amount` is accepted, too."
})

const ifMatch = SaveCorrections.fields.revision.annotate({
  description:
    "The state of the corrections: 0 before the first. A request names the state that the caller has read."
})

const { bbox, by, at, page } = CorrectedField.fields
/** The maximum number of values corrected and confirmed in one request; each cell of a row counts. */
export const mostValues = 2000
const most = Schema.isMaxLength(mostValues)

const box = { x: 421.5, y: 640.2, w: 58, h: 11.4 }

/** A value of the output that a person corrects. */
export const OutputCorrection = Schema.Struct({
  path: Path,
  value: Correction.fields.value.annotate({
    description: "The right value. If omitted, the text in `bbox` on `page` is read."
  }),
  page,
  bbox
})
export type OutputCorrection = typeof OutputCorrection.Type

/** The body of `PUT /runs/{executionId}/corrections`. */
export const SaveOutputCorrections = Schema.Struct({
  ifMatch,
  values: Schema.optionalKey(Schema.Array(OutputCorrection).check(most)),
  confirmed: Schema.optionalKey(
    Schema.Array(Path).check(most).annotate({ description: "Values that are right as they were extracted." })
  ),
  reverted: Schema.optionalKey(
    Schema.Array(Path)
      .check(most)
      .annotate({
        description:
          "Values whose correction or confirmation is withdrawn: they are again as they were extracted, and unchecked. " +
          "A table includes its cells. Applied before `values` and `confirmed`."
      })
  )
}).annotate({
  identifier: "SaveCorrections",
  examples: [
    {
      ifMatch: 0,
      values: [
        { path: "/totalAmount", value: 1190 },
        { path: "/lineItems/0/amount", page: 1, bbox: box }
      ],
      confirmed: ["/invoiceNumber"]
    }
  ]
})
export type SaveOutputCorrections = typeof SaveOutputCorrections.Type

/** The corrections of an execution, by the paths of its output. */
export const OutputCorrections = Schema.Struct({
  ifMatch,
  values: Schema.Array(Schema.Struct({ path: Path, value: Schema.Unknown, page, bbox, by, at })),
  confirmed: Schema.Array(Schema.Struct({ path: Path, by, at })),
  open: Schema.Int.annotate({ description: "Fields in `review` that nobody corrected or confirmed yet." }),
  notes: notesByPath,
  taught: taughtByPath,
  output: Schema.optionalKey(
    Schema.Unknown.annotate({
      description: "The output with the corrected values. The execution's own output does not change."
    })
  )
}).annotate({
  identifier: "Corrections",
  examples: [
    {
      ifMatch: 1,
      values: [{ path: "/totalAmount", value: 1190, by: "key key_01", at: "2026-11-20T09:30:00.000Z" }],
      confirmed: [{ path: "/invoiceNumber", by: "key key_01", at: "2026-11-20T09:30:00.000Z" }],
      open: 0,
      output: { invoiceNumber: "INV-7", totalAmount: 1190 }
    }
  ]
})
export type OutputCorrections = typeof OutputCorrections.Type
