import { Effect, Option } from "effect"
import { LlmFailure, type LlmModel, type LlmRequest } from "./Llm.ts"
import { sampleOf } from "./SampleOf.ts"
import { answerReader } from "./ReadAnswer.ts"

/** The longest echo, in words. */
const mostWords = 12

/**
 * The model of test keys: no network, no cost, always the same answer to the same request. With a schema it returns the
 * smallest valid value: null if allowed, otherwise the first listed value, the default, or only what is required.
 * Without a schema it returns the first words of the last text.
 */
export const echoModel: LlmModel = {
  name: "echo",
  contextTokens: 128_000,
  seesPictures: true,
  ask: (request) => Effect.map(answerTo(request), (value) => ({ value, inputTokens: 0, outputTokens: 0 }))
}

const answerTo = ({ content, schema }: LlmRequest): Effect.Effect<unknown, LlmFailure> => {
  if (schema === undefined) {
    const text = content.findLast((part) => part.type === "text")?.text ?? ""
    return Effect.succeed(["echo:", ...text.split(/\s+/u).filter(Boolean).slice(0, mostWords)].join(" "))
  }
  return Effect.gen(function* () {
    const read = yield* answerReader(schema)
    const sample = Option.getOrNull(sampleOf(schema.schema))
    return yield* read({ text: JSON.stringify(sample), wrapped: false })
  }).pipe(
    Effect.mapError(
      ({ reason, what }) =>
        new LlmFailure({
          reason,
          message:
            reason === "bad-answer"
              ? `echo: it knows no value that fits the schema ${schema.name}. Use a live key, or a schema without patterns.`
              : `echo: ${what}.`
        })
    )
  )
}
