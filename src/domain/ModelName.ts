import { Option, Schema } from "effect"

/** A model as settings and flows name it: `ollama:llama3.2`, `openai:gpt-5`, `anthropic:claude-sonnet-5`, `echo`. */
export const ModelName = Schema.Union([
  Schema.Struct({ provider: Schema.Literals(["ollama", "openai", "anthropic"]), model: Schema.String }),
  Schema.Struct({ provider: Schema.Literal("echo") })
])
export type ModelName = typeof ModelName.Type

/** What a model name must look like, for messages. */
export const modelNameForm = "ollama:<model>, openai:<model>, anthropic:<model> or echo"

/** Reads a model name. */
export const parseModelName = (text: string): Option.Option<ModelName> => {
  if (text === "echo") return Option.some({ provider: "echo" })
  const [, provider, model] = /^(ollama|openai|anthropic):([^\s,]{1,200})$/u.exec(text) ?? []
  return model !== undefined && (provider === "ollama" || provider === "openai" || provider === "anthropic")
    ? Option.some({ provider, model })
    : Option.none()
}

/** Writes a model name. */
export const formatModelName = (name: ModelName): string =>
  name.provider === "echo" ? name.provider : `${name.provider}:${name.model}`
