import { createHash } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { check, type CheckedFlow, type Problem, StepKind, StepRegistry } from "../../dsl/index.ts"
import { DocumentIR } from "../../src/domain/DocumentIR.ts"
import { fail } from "../../src/steps/Fail.ts"
import { transform } from "../../src/steps/Transform.ts"
import { validate } from "../../src/steps/Validate.ts"

/** A stand-in for `parse`: typed like the real one, without reading anything. */
export const parse = StepKind.make("parse", {
  description: "Reads the document.",
  config: Schema.Struct({
    ocr: Schema.Literals(["auto", "always", "never"]).pipe(
      Schema.withDecodingDefaultKey(Effect.succeed("auto" as const))
    ),
    pages: Schema.optionalKey(
      Schema.String.check(Schema.isPattern(/^\d+(-\d+)?$/u, { message: 'Pages are like "2" or "1-3".' }))
    )
  }),
  output: Schema.Struct({ document: DocumentIR, pageCount: Schema.Int, wordCount: Schema.Int }),
  errors: {},
  run: () => Effect.succeed({ document: { pages: [], extras: { pageCount: 0 } }, pageCount: 0, wordCount: 0 })
})

const jsonTypes: Readonly<Record<string, unknown>> = {
  string: { type: "string" },
  number: { type: "number" },
  date: { type: "string", format: "date" },
  lines: {
    type: "array",
    items: {
      type: "object",
      properties: { description: { type: ["string", "null"] }, amount: { type: ["number", "null"] } },
      required: ["description", "amount"]
    }
  }
}

const Fields = Schema.Record(
  Schema.String,
  Schema.Struct({
    type: Schema.Literals(["string", "number", "date", "lines"]),
    required: Schema.optionalKey(Schema.Boolean)
  })
)
const decodeFields = Schema.decodeUnknownResult(Schema.Struct({ fields: Fields }))

/** A stand-in for `extract`: the type of its output follows from the fields that are asked for. */
export const extract = StepKind.make("extract", {
  description: "Finds fields.",
  config: Schema.Struct({
    document: DocumentIR,
    fields: Fields,
    minimum: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 })))
  }),
  output: Schema.Struct({ values: Schema.Record(Schema.String, Schema.Unknown), model: Schema.String }),
  errors: {},
  outputType: (config) => {
    const fields = Result.getOrElse(decodeFields(config), () => ({ fields: {} })).fields
    const properties = Object.entries(fields).map(([name, field]) => {
      const type = jsonTypes[field.type]
      return [
        name,
        field.required === true || field.type === "lines" ? type : { anyOf: [type, { type: "null" }] }
      ] as const
    })
    return {
      type: "object",
      properties: {
        values: {
          type: "object",
          properties: Object.fromEntries(properties),
          required: properties.map(([name]) => name)
        },
        model: { type: "string" }
      },
      required: ["values", "model"]
    }
  },
  run: () => Effect.succeed({ values: {}, model: "none" })
})

export const registry = StepRegistry.make([parse, extract, transform, validate, fail])

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Checks a flow with the step kinds above. */
export const checkFlow = (
  text: string,
  file = "flow.yaml"
): Result.Result<CheckedFlow<never>, ReadonlyArray<Problem>> =>
  check(text, { file, registry, sha256, formats: ["application/pdf", "image/png"] })

/** The flow, or a failed test that shows the problems. */
export const checked = (text: string): CheckedFlow<never> =>
  Result.getOrThrowWith(
    checkFlow(text),
    (problems) => new Error(problems.map((problem) => JSON.stringify(problem)).join("\n"))
  )

/** The lines of a correct flow's head. */
export const head = `docflow: 1
id: invoice
version: 1.0.0
name: Invoice
document: { formats: [application/pdf] }
`
