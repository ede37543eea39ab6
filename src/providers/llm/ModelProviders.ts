import { anthropic } from "./AnthropicModel.ts"
import { ollama } from "./OllamaModel.ts"
import { openAi } from "./OpenAiModel.ts"
import type { ModelProvider } from "./Provider.ts"

/** Every provider of models that `DOCFLOW_LLM` may name, besides `echo`. */
export const modelProviders: ReadonlyArray<ModelProvider> = [ollama, openAi, anthropic]

/** What a model name looks like, for messages. */
export const modelNameForm = `${modelProviders.map(({ name }) => `${name}:<model>`).join(", ")} or echo`
