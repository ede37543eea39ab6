import { Effect, Layer, Option } from "effect"
import type { Llm } from "../../../src/providers/llm/Llm.ts"
import { type Asked, llmOf, modelServer } from "../../support/ModelServer.ts"

/** The tokens that the server of models counts for a request and its answer. */
export const tokensPerRequest = 150

/** A model behind a server that speaks OpenAI's protocol: what it was asked, and what it answers. */
export class AnsweringModel {
  readonly asked: Array<Asked> = []
  /** The port `Llm` with this model alone. */
  readonly layer: Layer.Layer<Llm>

  constructor(answer: (asked: Asked, count: number) => unknown, contextTokens = 8000) {
    const server = modelServer((asked, count) => {
      this.asked.push(asked)
      return answer(asked, count)
    })
    this.layer = Layer.unwrap(
      Effect.map(server, (running) => llmOf(running, "openai", { contextTokens: Option.some(contextTokens) }))
    )
  }
}

/** The names of the properties that a question asks for. */
export const propertiesOf = ({ schema }: Asked): ReadonlyArray<string> =>
  Object.keys(Object(Object(schema).properties))
