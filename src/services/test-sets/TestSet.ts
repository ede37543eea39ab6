import { Schema } from "effect"
import { FailureCode } from "../../domain/FailureCode.ts"

const describe = (description: string) => ({ description })

/** How a value is compared, if not by equality. */
export const Expectation = Schema.Struct({
  is: Schema.optionalKey(Schema.Json.annotate(describe("The value."))),
  anyOf: Schema.optionalKey(Schema.Array(Schema.Json).annotate(describe("Values, each of which is right."))),
  contains: Schema.optionalKey(Schema.String.annotate(describe("String that the value must contain."))),
  like: Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate(
      describe(
        "A name, or several: letters and digits count, one may be part of the other, a few be misread."
      )
    )
  ),
  exact: Schema.optionalKey(
    Schema.Boolean.annotate(describe("Whether case and white space of strings matter."))
  ),
  within: Schema.optionalKey(
    Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate(
      describe("How far a number may be off. Default: 0.005.")
    )
  )
})
export type Expectation = typeof Expectation.Type

/** Codes with which a run can end, or be refused before it begins. */
const errorCodes = [...FailureCode.literals, "MISSING_REQUIRED_FIELD"] as const

/** One document, and the expected result. */
export const TestCase = Schema.Struct({
  name: Schema.optionalKey(
    Schema.String.annotate(describe("Name in reports. Default: the path of the document."))
  ),
  document: Schema.String.annotate(describe("The path of the document, seen from this file.")),
  issuer: Schema.optionalKey(
    Schema.String.annotate(
      describe(
        "Who issued the document: results are also listed by issuer. Default: the expected name of the seller or shop."
      )
    )
  ),
  variables: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  status: Schema.optionalKey(Schema.Literals(["completed", "failed"])),
  error: Schema.optionalKey(
    Schema.Literals(errorCodes).annotate(describe("The code that it must fail with."))
  ),
  expect: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate(
      describe("Values by their path in the output, or by the name of an extracted field.")
    )
  )
})
export type TestCase = typeof TestCase.Type

/** A file of cases for one flow. */
export const TestSet = Schema.Struct({
  tests: Schema.Literal(1).annotate(describe("The version of this format.")),
  flow: Schema.optionalKey(Schema.String.annotate(describe("The id of the flow, as a check."))),
  minimum: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate(
      describe("Share of the expectations that must hold. Default: all of them.")
    )
  ),
  cases: Schema.Array(TestCase).check(
    Schema.isMinLength(1, { message: "A test set needs at least one case." })
  )
})
export type TestSet = typeof TestSet.Type

const ways: ReadonlyArray<string> = ["is", "anyOf", "contains", "like"]

/** Whether a value of `expect` states how to compare. */
export const isDetailed = (value: Schema.Json): value is { readonly [key: string]: Schema.Json } =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  ways.some((way) => Object.hasOwn(value, way))
