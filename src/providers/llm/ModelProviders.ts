import { anthropic } from "./AnthropicModel.ts"
import { ollama } from "./OllamaModel.ts"
import { openAi } from "./OpenAiModel.ts"
import type { Protocol } from "./Provider.ts"

/** Every protocol of models that `DOCFLOW_LLM` can name, in addition to `echo`. */
export const modelProviders: ReadonlyArray<Protocol> = [ollama, openAi, anthropic]

/** The form of a model name, for messages. */
export const modelNameForm = `${modelProviders.map(({ name }) => `${name}:<model>`).join(", ")} or echo`
