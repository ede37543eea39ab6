import type { IncomingMessage, ServerResponse } from "node:http"
import type { Asked } from "./Asked.ts"

const tokens = { input: 120, output: 30 }

/** Sends a whole answer in the protocol of the question. */
export const sendAnswer = (asked: Asked, response: ServerResponse, said: unknown): void => {
  const text = typeof said === "string" ? said : JSON.stringify(said)
  response.writeHead(200, {
    "content-type": asked.protocol === "ollama" ? "application/x-ndjson" : "application/json"
  })
  response.end(answerText(asked, text))
}

/** The body of an answer; `end` is the reason why it ended, in the words of the protocol. */
export const answerText = (asked: Asked, text: string, end?: string): string => {
  switch (asked.protocol) {
    case "openai":
      return JSON.stringify({
        id: "chatcmpl-1",
        object: "chat.completion",
        model: asked.model,
        choices: [{ index: 0, finish_reason: end ?? "stop", message: { role: "assistant", content: text } }],
        usage: { prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: 150 }
      })
    case "anthropic":
      return JSON.stringify({
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: asked.model,
        content: [{ type: "text", text }],
        stop_reason: end ?? "end_turn",
        usage: { input_tokens: tokens.input, output_tokens: tokens.output }
      })
    case "ollama":
      return [
        ...pieces(text).map((content) => line(asked, { content }, { done: false })),
        lastLine(asked, end)
      ].join("")
  }
}

const pieces = (text: string): ReadonlyArray<string> => text.match(/[\s\S]{1,16}/gu) ?? []

const line = ({ model }: Asked, message: object, rest: object): string =>
  `${JSON.stringify({ model, created_at: "2026-01-01T00:00:00Z", message: { role: "assistant", ...message }, ...rest })}\n`

const lastLine = (asked: Asked, end = "stop"): string =>
  line(
    asked,
    { content: "" },
    { done: true, done_reason: end, prompt_eval_count: tokens.input, eval_count: tokens.output }
  )

/** What is said about a model: `missing-model` is not there, `blind-model` takes no pictures. */
export const sendShown = (request: IncomingMessage, response: ServerResponse, body: string): void => {
  if (request.url === "/v1/models") {
    const data = [{ id: "test-model", object: "model", max_model_len: 32_768 }]
    return void response.writeHead(200).end(JSON.stringify({ object: "list", data }))
  }
  if (request.url === "/api/show" && body.includes("missing-model")) {
    const error = { error: "model 'missing-model' not found" }
    return void response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(error))
  }
  if (request.url === "/api/show") {
    const shown = {
      capabilities: body.includes("blind-model") ? ["completion"] : ["completion", "vision"],
      details: { family: "llama" },
      model_info: { "general.architecture": "llama", "llama.context_length": 8192 }
    }
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(shown))
  }
  response.writeHead(404).end()
}
