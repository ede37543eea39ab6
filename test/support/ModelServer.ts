import { ConfigProvider, Duration, Effect, type Layer } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type ModelSettings, modelSettings } from "../../src/providers/llm/ModelSettings.ts"
import * as LlmModels from "../../src/providers/llm/LlmModels.ts"
import { defaultRetries, type RetryPolicy } from "../../src/providers/llm/RetryWait.ts"
import { listening } from "./Loopback.ts"
import { readAsked, type Asked, type Protocol } from "./model-server/Asked.ts"
import { isFault, playFault } from "./model-server/Faults.ts"
import { sendAnswer, sendShown } from "./model-server/Answers.ts"

export type { Asked, Protocol } from "./model-server/Asked.ts"
export { fault } from "./model-server/Faults.ts"

/** What a model says: a string as it is, a fault, anything else as JSON; or a promise of that. */
export type Answering = (asked: Asked, count: number) => unknown

/** A server on loopback that speaks Ollama's, OpenAI's and Anthropic's protocols, and answers as it is told. */
export interface ModelServer {
  readonly url: string
  /** Every question, in the order in which they came. */
  readonly asked: ReadonlyArray<Asked>
  /** The headers of requests at other addresses than those of the protocols. */
  readonly others: ReadonlyArray<IncomingHttpHeaders>
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>
  /** How many answers the other side did not wait for. */
  readonly abandoned: () => number
  /** Answers differently from now on. */
  readonly become: (answer: Answering) => void
}

/** Starts a server of models; it stops with the scope. */
export const modelServer = Effect.fnUntraced(function* (answering: Answering) {
  const asked: Array<Asked> = []
  const others: Array<IncomingHttpHeaders> = []
  const sockets = new Set<Socket>()
  let answer = answering
  let abandoned = 0
  const reply = (question: Asked, response: ServerResponse) => {
    asked.push(question)
    const send = (said: unknown) => {
      if (isFault(said)) playFault(said, question, response)
      else sendAnswer(question, response, said)
    }
    const said = answer(question, asked.length)
    if (said instanceof Promise) void said.then(send)
    else send(said)
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => undefined)
    response.on("error", () => undefined)
    response.on("close", () => {
      if (!response.writableFinished) abandoned += 1
    })
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      const question = readAsked(request, body)
      if (question !== undefined) return reply(question, response)
      others.push(request.headers)
      sendShown(request, response, body.toString("utf8"))
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  const port = yield* listening(server)
  const made: ModelServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
    others,
    sockets,
    abandoned: () => abandoned,
    become: (next) => {
      answer = next
    }
  }
  return made
})

/** Waits that suit a test. */
export const quickRetries: RetryPolicy = {
  ...defaultRetries,
  first: Duration.millis(5),
  longest: Duration.millis(20)
}

/** The settings for a model `test-model` of the server. */
export const settingsFor = (
  server: Pick<ModelServer, "url">,
  protocol: Protocol,
  own: Partial<ModelSettings> = {}
): ModelSettings => ({
  ...Effect.runSync(
    modelSettings.parse(
      ConfigProvider.fromEnv({
        env: {
          DOCFLOW_LLM: `${protocol}:test-model`,
          DOCFLOW_LLM_TIMEOUT: "20",
          OLLAMA_HOST: server.url,
          OPENAI_BASE_URL: `${server.url}/v1`,
          OPENAI_API_KEY: "key-of-the-tests",
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: "key-of-the-tests"
        }
      })
    )
  ),
  ...own
})

/** The port `Llm` over the server: `Layer.unwrap(Effect.map(modelServer(…), (server) => llmOf(server, "openai")))`. */
export const llmOf = (
  server: Pick<ModelServer, "url">,
  protocol: Protocol = "openai",
  own: Partial<ModelSettings> = {}
): Layer.Layer<LlmService> => LlmModels.layer(settingsFor(server, protocol, own), quickRetries)
type LlmService = Layer.Success<ReturnType<typeof LlmModels.layer>>
