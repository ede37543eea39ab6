import { Effect, type JsonSchema, Result } from "effect"
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js"
import { RE2JS } from "re2js"
import { parse } from "yaml"
import { isDateTime, isDay } from "../../support/CalendarDates.ts"
import { isTooDeep } from "../../support/JsonDepth.ts"
import type { LlmRequest } from "./Llm.ts"
import { badAnswer, type CallFailure, cutOff, final } from "./CallFailure.ts"
import { aligned } from "./AlignAnswer.ts"
import { isNode } from "./SampleOf.ts"
import type { RawAnswer } from "./Provider.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"

type Said = Pick<RawAnswer, "text" | "wrapped"> & { readonly outputTokens?: number }

/** Makes the value of an answer from its text; `maxTokens` is how long it could be. */
export type AnswerReader = (answer: Said, maxTokens?: number) => Effect.Effect<unknown, CallFailure>

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
      (answer, maxTokens) =>
        Effect.catch(readJson(answer, schema.schema, validate), (failure) =>
          isCutOff(answer, maxTokens)
            ? Effect.fail(cutOff(maxTokens ?? 0, { thought: withoutThinking(answer.text).trim() === "" }))
            : Effect.fail(failure)
        )
  )
}

/** Some servers do not say that an answer was cut off. */
const isCutOff = ({ outputTokens = 0, text }: Said, maxTokens = Infinity): boolean =>
  outputTokens >= maxTokens && !/[}\]]\W*$/u.test(text)

const validators = new WeakMap<object, ValidateFunction>()

/** Compiled once for all attempts and all parts of a document, because that takes longer than reading most answers. */
const validatorOf = (schema: JsonSchema.JsonSchema): ValidateFunction => {
  const validate = validators.get(schema) ?? makeAjv().compile(schema)
  validators.set(schema, validate)
  return validate
}

const longest = 1_000_000

/** How models end their thoughts, and how those begin that are never ended. */
const endsOfThought = ["</think>", "</thinking>", "</thought>", "</reasoning>", "[/THINK]", "<|message|>"]
const unfinishedThought = /^\s*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\])/iu

/** An answer without what the model thought before it; empty if it never stopped. */
export const withoutThinking = (text: string): string => {
  const ends = endsOfThought.map((end) => {
    const at = text.lastIndexOf(end)
    return at === -1 ? 0 : at + end.length
  })
  const end = Math.max(...ends)
  if (end > 0) return text.slice(end)
  return unfinishedThought.test(text) ? "" : text
}

const readText: AnswerReader = ({ text }) => {
  const said = withoutThinking(text).trim()
  return said === "" ? Effect.fail(badAnswer("the answer is empty")) : Effect.succeed(said)
}

const fenced = /```(?:json5?|javascript)?[ \t]*\n?/giu

/** The most texts of an answer that are tried as JSON. */
const mostTried = 5
const mostStarts = 100

/** The texts of an answer that may be its JSON, the longest first: from a bracket to the one that closes it. */
const jsonIn = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let starts = 0
  for (let at = text.search(/[{[]/u); at !== -1 && starts < mostStarts; starts++) {
    const end = closing(text, at)
    if (end !== undefined) found.push(text.slice(at, end + 1))
    const next = text.slice((end ?? at) + 1).search(/[{[]/u)
    at = next === -1 ? -1 : (end ?? at) + 1 + next
  }
  return found.toSorted((a, b) => b.length - a.length).slice(0, mostTried)
}

/** Where the bracket at a place is closed; brackets in strings count for nothing. */
const closing = (text: string, from: number): number | undefined => {
  let depth = 0
  let isString = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (isString) {
      if (character === "\\") at++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === "{" || character === "[") depth++
    else if ((character === "}" || character === "]") && --depth === 0) return at
  }
  return undefined
}

/** JSON, or what models write instead: with commas too many, bare keys or single quotation marks, as YAML has them. */
const parseLoosely = (text: string): Result.Result<unknown, unknown> =>
  Result.orElse(
    Result.try((): unknown => JSON.parse(text)),
    () =>
      Result.try((): unknown =>
        parse(text, { uniqueKeys: false, strict: false, logLevel: "silent", maxAliasCount: 0 })
      )
  )

const readJson = (
  { text, wrapped }: Said,
  schema: JsonSchema.JsonSchema,
  validate: ValidateFunction
): Effect.Effect<unknown, CallFailure> => {
  // The longest answer that a flow can request is far shorter.
  if (text.length > longest) return Effect.fail(badAnswer("the answer is longer than a million characters"))
  if (isTooDeep(Buffer.from(text))) return Effect.fail(badAnswer("the answer is nested too deeply"))
  const said = withoutThinking(text).replaceAll(fenced, "").trim()
  // A schema that is no object may be answered by a bare value.
  const bare = [said, JSON.stringify(said)]
  let worst: CallFailure | undefined
  for (const [at, candidate] of [...jsonIn(said), ...(schema["type"] === "object" ? [] : bare)].entries()) {
    const parsed =
      at < mostTried && /^[{[]/u.test(candidate)
        ? parseLoosely(candidate)
        : Result.try((): unknown => JSON.parse(candidate))
    if (Result.isFailure(parsed)) continue
    const inside = wrapped && isNode(parsed.success) && "value" in parsed.success
    const value = aligned(inside ? parsed.success["value"] : parsed.success, schema)
    if (validate(value)) return Effect.succeed(value)
    worst ??= misfit(validate.errors ?? [])
  }
  return Effect.fail(worst ?? badAnswer("the answer is not valid JSON"))
}

const mostErrors = 5

/** Only keywords and places in the schema, because paths and values may contain words of the document. */
const misfit = (errors: ReadonlyArray<ErrorObject>): CallFailure => {
  const keywords = [...new Set(errors.map(({ keyword }) => keyword))].slice(0, mostErrors)
  const places = errors.slice(0, mostErrors).map(({ message, schemaPath }) => `${schemaPath}: ${message}`)
  return badAnswer(
    `the answer does not fit the schema (${keywords.join(", ")})`,
    `The answer does not fit the JSON Schema (${places.join("; ")})`
  )
}

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
