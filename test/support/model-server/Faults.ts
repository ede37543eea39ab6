import type { ServerResponse } from "node:http"
import { answerText } from "./Answers.ts"
import type { Asked } from "./Asked.ts"
import { defined } from "../../../src/support/Defined.ts"

/** Something that goes wrong instead of an answer. */
export class Fault {
  readonly play: (asked: Asked, response: ServerResponse) => void
  constructor(play: (asked: Asked, response: ServerResponse) => void) {
    this.play = play
  }
}

const secret = "TEXT OF THE DOCUMENT"

/** Faults by their names. Error bodies and broken answers quote `TEXT OF THE DOCUMENT`, which no message may repeat. */
export const fault = {
  /** An error status, with a body as the provider would send it. */
  status: (status: number, options: { retryAfter?: string; code?: string; message?: string } = {}) =>
    new Fault((asked, response) => {
      const headers = defined({ "retry-after": options.retryAfter })
      const message = options.message ?? `it failed on: ${secret}`
      const error =
        asked.protocol === "ollama"
          ? message
          : { message, type: options.code ?? "some_error", code: options.code ?? null }
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify({ error }))
    }),
  /** Sends the reader elsewhere. */
  redirect: (location: string) =>
    new Fault((_, response) => void response.writeHead(307, { location }).end()),
  /** A whole HTTP answer whose JSON ends early. */
  truncated: () =>
    new Fault((asked, response) => {
      const whole = answerText(asked, secret)
      response.writeHead(200).end(whole.slice(0, -20))
    }),
  /** An answer that is not of the protocol. */
  notProtocol: () => new Fault((_, response) => void response.writeHead(200).end(`<html>${secret}</html>`)),
  /** An answer of the model that ends early, though the provider does not say so. */
  truncatedJson: () => says(`{"total": "${secret}`),
  /** An answer of the model that is no JSON. */
  invalidJson: () => says(`Sure! The total is ${secret}.`),
  /** An answer of the model that is JSON and does not fit the schema. */
  schemaViolation: () => says(JSON.stringify({ [secret]: secret })),
  /** Ollama's way to fail after it has begun to answer. */
  errorInStream: (message: string) =>
    new Fault((asked, response) => {
      const [first] = answerText(asked, secret).split("\n")
      response.writeHead(200).end(`${first}\n${JSON.stringify({ error: message })}\n`)
    }),
  /** An answer that the provider says was cut off. */
  cut: () =>
    new Fault((asked, response) => {
      const end = asked.protocol === "anthropic" ? "max_tokens" : "length"
      response.writeHead(200).end(answerText(asked, `{"total": "${secret}`, end))
    }),
  /** A refusal, as Anthropic and OpenAI say it. */
  refusal: () =>
    new Fault((asked, response) => {
      const end = asked.protocol === "anthropic" ? "refusal" : "content_filter"
      response.writeHead(200).end(answerText(asked, "", end))
    }),
  /** Never answers. */
  hang: () => new Fault(() => undefined),
  /** Closes the connection without an answer. */
  drop: () => new Fault((_, response) => void response.socket?.destroy()),
  /** Closes the connection in the middle of the answer. */
  dropMidway: () =>
    new Fault((asked, response) => {
      const whole = answerText(asked, secret.repeat(10))
      response.writeHead(200, { "content-length": String(whole.length) })
      response.write(whole.slice(0, whole.length / 2), () => response.socket?.destroy())
    }),
  /** Sends 100 MB, as fast as they are read. */
  huge: () =>
    new Fault((asked, response) => {
      response.writeHead(200)
      const piece = Buffer.from(
        asked.protocol === "ollama"
          ? answerText(asked, "x".repeat(50_000)).split("\n").slice(0, -2).join("\n") + "\n"
          : "x".repeat(65_536)
      )
      let left = Math.ceil((100 * 1024 * 1024) / piece.length)
      const more = () => {
        while (left > 0 && !response.destroyed) {
          left -= 1
          if (!response.write(piece)) return void response.once("drain", more)
        }
        response.end()
      }
      more()
    }),
  /** Sends the answer a byte every 50 ms. */
  drip: () =>
    new Fault((asked, response) => {
      const whole = Buffer.from(answerText(asked, secret.repeat(100)))
      let sent = 0
      response.writeHead(200)
      const dripping = setInterval(() => {
        response.write(whole.subarray(sent, sent + 1))
        sent += 1
        if (sent >= whole.length) response.end()
      }, 50)
      response.on("close", () => clearInterval(dripping))
    })
} as const

const says = (text: string) =>
  new Fault((asked, response) => void response.writeHead(200).end(answerText(asked, text)))

export const isFault = (value: unknown): value is Fault => value instanceof Fault

export const playFault = ({ play }: Fault, asked: Asked, response: ServerResponse): void =>
  play(asked, response)
