import { Effect, type JsonSchema, Result } from "effect"
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js"
import { RE2JS } from "re2js"
import { isDateTime, isDay } from "../../support/CalendarDates.ts"
import { isTooDeep } from "../../support/JsonDepth.ts"
import type { LlmRequest } from "./Llm.ts"
import { badAnswer, type CallFailure, final } from "./CallFailure.ts"
import type { RawAnswer } from "./Provider.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"

/** Makes the value of an answer from its text. */
export type AnswerReader = (
  answer: Pick<RawAnswer, "text" | "wrapped">
) => Effect.Effect<unknown, CallFailure>

/** Makes the reader for the answer of a request: text, or JSON that matches the schema. */
export const answerReader = (schema: LlmRequest["schema"]): Effect.Effect<AnswerReader, CallFailure> => {
  if (schema === undefined) return Effect.succeed(readText)
  return Effect.map(
    Effect.try({
      try: () => validatorOf(schema.schema),
      catch: () =>
        final("refused", `the schema ${schema.name} is not a supported JSON Schema`, "Correct the schema")
    }),
    (validate): AnswerReader =>
      (answer) =>
        readJson(answer, validate)
  )
}

const validators = new WeakMap<object, ValidateFunction>()

/** Compiled once for all attempts and all parts of a document, because that takes longer than reading most answers. */
const validatorOf = (schema: JsonSchema.JsonSchema): ValidateFunction => {
  const validate = validators.get(schema) ?? makeAjv().compile(schema)
  validators.set(schema, validate)
  return validate
}

const longest = 1_000_000

const readText: AnswerReader = ({ text }) =>
  text.trim() === "" ? Effect.fail(badAnswer("the answer is empty")) : Effect.succeed(text.trim())

const readJson = (
  { text, wrapped }: Pick<RawAnswer, "text" | "wrapped">,
  validate: ValidateFunction
): Effect.Effect<unknown, CallFailure> => {
  // The longest answer that a flow can request is far shorter.
  if (text.length > longest) return Effect.fail(badAnswer("the answer is longer than a million characters"))
  const json = withoutFence(text)
  if (isTooDeep(Buffer.from(json))) return Effect.fail(badAnswer("the answer is nested too deeply"))
  const parsed = Result.try((): unknown => JSON.parse(json))
  if (Result.isFailure(parsed)) return Effect.fail(badAnswer("the answer is not valid JSON"))
  const value = wrapped && isObject(parsed.success) ? parsed.success["value"] : parsed.success
  if (validate(value)) return Effect.succeed(value)
  // A model that must name every property returns null for a missing optional one.
  const changed = (validate.errors ?? []).filter((error) => removeNull(value, error.instancePath))
  if (changed.length > 0 && validate(value)) return Effect.succeed(value)
  return Effect.fail(badAnswer(`the answer does not fit the schema (${keywordsOf(validate.errors ?? [])})`))
}

/** Removes the code fence that models without an enforced schema often put around JSON. */
const withoutFence = (text: string): string => {
  const whole = text.trim()
  const firstLine = whole.indexOf("\n") + 1
  const isFenced = /^```(?:json)?\s*$/u.test(whole.slice(0, Math.min(firstLine, 80)))
  return isFenced && whole.endsWith("```") ? whole.slice(firstLine, -3) : text
}

/** Removes a null from its object; returns whether there was one. */
const removeNull = (root: unknown, pointer: string): boolean => {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
  const last = keys.pop()
  let at: unknown = root
  for (const key of keys) at = isObject(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined
  if (last === undefined || !isObject(at) || at[last] !== null) return false
  return Reflect.deleteProperty(at, last)
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Only the keywords, because paths and values may contain words of the document. */
const keywordsOf = (errors: ReadonlyArray<ErrorObject>): string =>
  [...new Set(errors.map(({ keyword }) => keyword))].slice(0, 5).join(", ")

const matcher = (pattern: string) => {
  const compiled = RE2JS.compile(pattern)
  return (text: string): boolean => compiled.matcher(text).find()
}

// Patterns come from flows and run on what models say: RE2 takes linear time. Ajv tells compiled patterns apart by `toString`.
const regExp = Object.assign(
  (pattern: string) => ({ test: matcher(pattern), toString: () => `re2 ${pattern}` }),
  { code: "re2" }
)

const makeAjv = () =>
  new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    // Compiling the meta-schema takes many times as long as compiling a schema, and an invalid schema fails there, too.
    meta: false,
    validateSchema: false,
    code: { regExp },
    formats: { date: isDay, "date-time": isDateTime }
  })
    // Ajv's own keyword compares every item with every other one: 20,000 arrays take seconds.
    .removeKeyword("uniqueItems")
    .addKeyword({
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      validate: (wanted: boolean, items: ReadonlyArray<unknown>) =>
        !wanted || new Set(items.map(canonicalJson)).size === items.length
    })
