import { Effect, Option, Schema } from "effect"
import type { CallFailure } from "./CallFailure.ts"

/** The assumed context of a local server that does not state it, in tokens. */
const unknownContext = 8192

/** What servers call the context of a model, in their lists of models. */
const sizes = [
  "loaded_context_length",
  "max_model_len",
  "context_window",
  "context_length",
  "max_context_length"
] as const
const Models = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(
      Schema.StructWithRest(Schema.Struct({ id: Schema.String }), [
        Schema.Record(Schema.String, Schema.Unknown)
      ])
    )
  })
)
const decodeModels = Schema.decodeUnknownOption(Models)
const decodeProps = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({ default_generation_settings: Schema.Struct({ n_ctx: Schema.Finite }) })
  )
)

/** Where to send requests, and how the key is called there. */
interface Endpoint {
  /** The address of one of the protocol's resources: `chat/completions`. */
  readonly at: (resource: string) => string
  readonly isAzure: boolean
}

/** Completes an address as users copy it from the pages of Azure, Gemini and others. */
export const endpointOf = (text: string, model: string): Endpoint => {
  const url = new URL(text)
  const isAzure =
    /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/u.test(url.hostname) ||
    url.searchParams.has("api-version") ||
    url.pathname.includes("/openai/deployments/")
  let path = url.pathname.replace(/\/+$/u, "").replace(/\/(?:chat\/completions|responses|models)$/u, "")
  if (isAzure && /^(?:\/openai)?$/u.test(path))
    path = url.searchParams.has("api-version")
      ? `/openai/deployments/${encodeURIComponent(model)}`
      : "/openai/v1"
  if (url.hostname === "generativelanguage.googleapis.com" && !path.endsWith("/openai"))
    path = `${path === "" ? "/v1beta" : path}/openai`
  // Nobody speaks the protocol at the root.
  if (path === "") path = "/v1"
  return { isAzure, at: (resource) => `${url.origin}${path}/${resource}${url.search}` }
}

/** The context of a model, as servers state it: in their list of models, or as llama.cpp and LM Studio do. */
export const contextOf = Effect.fnUntraced(function* (
  get: (url: string) => Effect.Effect<string, CallFailure>,
  models: string,
  origin: string,
  model: string
) {
  const inList = (text: string) =>
    Option.flatMap(decodeModels(text), ({ data }) => {
      const found = data.find(({ id }) => id === model || id === `models/${model}`)
      return Option.fromUndefinedOr(
        sizes.map((name) => found?.[name]).find((size): size is number => typeof size === "number")
      )
    })
  // Connection and authorization failures are reported immediately; a server without a list of models is used anyway.
  const listed = yield* get(models).pipe(
    Effect.map(inList),
    Effect.catch((failure) =>
      failure.again || failure.reason === "refused" ? Effect.fail(failure) : Effect.succeedNone
    )
  )
  if (Option.isSome(listed)) return listed.value
  const others = [
    [
      `${origin}/props`,
      (text: string) =>
        Option.map(decodeProps(text), ({ default_generation_settings }) => default_generation_settings.n_ctx)
    ],
    [`${origin}/api/v0/models`, inList]
  ] as const
  for (const [url, read] of others) {
    const found = yield* get(url).pipe(
      Effect.map(read),
      Effect.catch(() => Effect.succeedNone)
    )
    if (Option.isSome(found)) return found.value
  }
  return unknownContext
})
