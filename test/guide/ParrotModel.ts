import { Config, Effect } from "effect"
import { setting } from "../../src/config/Setting.ts"
import { exchangeText } from "../../src/providers/llm/ModelHttp.ts"
import { modelProvider, textOf } from "../../src/providers/llm/Provider.ts"
import { address } from "../../src/providers/llm/ServerSettings.ts"

const settings = {
  url: setting("PARROT_URL", address, "address of Parrot", "http://127.0.0.1:7777")
} as const

/** Parrot, whose models answer a POST of the text with text. */
export const parrot = modelProvider({
  name: "parrot",
  settings,
  values: Config.all(settings),
  connect: ({ model }, { url }) => {
    const server = {
      address: url,
      startIt: "Start Parrot, or set PARROT_URL",
      checkKey: "Parrot needs no key",
      getModel: `Check the name ${model} in DOCFLOW_LLM`
    }
    return Effect.succeed({
      contextTokens: 4096,
      seesPictures: false,
      attempt: (request) =>
        Effect.map(
          exchangeText(server, { url: `${url}/${model}`, headers: {}, body: textOf(request) }),
          (text) => ({
            text,
            wrapped: false,
            inputTokens: 0,
            outputTokens: 0
          })
        )
    })
  }
})
