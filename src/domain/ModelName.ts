import { Option, Schema } from "effect"

/** A model as settings and flows name it: `ollama:llama3.2`, `openai:gpt-5`; `echo` has an empty `model`. */
export const ModelName = Schema.Struct({ provider: Schema.String, model: Schema.String })
export type ModelName = typeof ModelName.Type

/** Parses a model name; does not know which providers exist. */
export const parseModelName = (text: string): Option.Option<ModelName> => {
  if (text === "echo") return Option.some({ provider: "echo", model: "" })
  const [, provider, model] = /^([a-z][a-z0-9-]{0,30}):([^\s,]{1,200})$/u.exec(text) ?? []
  return provider !== undefined && model !== undefined ? Option.some({ provider, model }) : Option.none()
}

/** Writes a model name. */
export const formatModelName = ({ model, provider }: ModelName): string =>
  model === "" ? provider : `${provider}:${model}`
