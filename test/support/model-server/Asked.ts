import { Option, Schema } from "effect"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"

/** Which provider's protocol. */
export type Protocol = "ollama" | "openai" | "anthropic"

/** A question to a model, whichever protocol it came in. */
export interface Asked {
  readonly protocol: Protocol
  readonly model: string
  readonly instructions: string
  /** All the texts, a blank line apart. */
  readonly text: string
  readonly images: ReadonlyArray<Buffer>
  /** The schema that the answer is held to, in the form of the protocol; undefined without one. */
  readonly schema: unknown
  readonly headers: IncomingHttpHeaders
  /** The whole body. */
  readonly body: unknown
}

const paths: Record<string, Protocol> = {
  "/api/chat": "ollama",
  "/v1/chat/completions": "openai",
  "/v1/messages": "anthropic"
}

const Part = Schema.Struct({
  text: Schema.optionalKey(Schema.String),
  image_url: Schema.optionalKey(Schema.Struct({ url: Schema.String })),
  source: Schema.optionalKey(Schema.Struct({ data: Schema.String }))
})
const Body = Schema.Struct({
  model: Schema.String,
  system: Schema.optionalKey(Schema.String),
  messages: Schema.Array(
    Schema.Struct({
      role: Schema.String,
      content: Schema.Union([Schema.String, Schema.Array(Part)]),
      images: Schema.optionalKey(Schema.Array(Schema.String))
    })
  ),
  format: Schema.optionalKey(Schema.Unknown),
  response_format: Schema.optionalKey(
    Schema.Struct({
      type: Schema.String,
      json_schema: Schema.optionalKey(Schema.Struct({ schema: Schema.Unknown }))
    })
  ),
  output_config: Schema.optionalKey(Schema.Struct({ format: Schema.Struct({ schema: Schema.Unknown }) }))
})
const decode = Schema.decodeUnknownSync(Body)

/** Reads a question; undefined for a request that asks about a model instead. */
export const readAsked = (request: IncomingMessage, bytes: Buffer): Asked | undefined => {
  const protocol = paths[request.url ?? ""]
  if (protocol === undefined) return undefined
  const raw: unknown = JSON.parse(bytes.toString("utf8"))
  const body = decode(raw)
  const parts = body.messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content, images = [] }) =>
      images
        .map((data): typeof Part.Type => ({ source: { data } }))
        .concat(typeof content === "string" ? [{ text: content }] : content)
    )
  const system = body.messages.find(({ role }) => role === "system")
  return {
    protocol,
    model: body.model,
    instructions: body.system ?? (typeof system?.content === "string" ? system.content : ""),
    text: parts.flatMap((part) => (part.text !== undefined ? [part.text] : [])).join("\n\n"),
    images: parts.flatMap((part) => Option.toArray(imageOf(part))),
    schema:
      body.format ??
      body.response_format?.json_schema?.schema ??
      body.output_config?.format.schema ??
      undefined,
    headers: request.headers,
    body: raw
  }
}

const imageOf = (part: typeof Part.Type): Option.Option<Buffer> => {
  const data = part.source?.data ?? part.image_url?.url.replace(/^data:[^,]*,/u, "")
  return Option.map(Option.fromUndefinedOr(data), (text) => Buffer.from(text, "base64"))
}
