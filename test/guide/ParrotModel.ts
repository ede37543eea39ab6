import { Effect } from "effect"
import { setting } from "../../src/config/Setting.ts"
import { exchangeText } from "../../src/providers/llm/ModelHttp.ts"
import { type Protocol, textOf } from "../../src/providers/llm/Provider.ts"
import { address, keySetting, targetOf } from "../../src/providers/llm/ServerSettings.ts"

const settings = {
  address: setting("PARROT_URL", address, "address of Parrot", "http://127.0.0.1:7777"),
  key: keySetting("PARROT_KEY", "key for Parrot")
} as const

/** Parrot, whose models answer a POST of the text with text. */
export const parrot: Protocol = {
  name: "parrot",
  settings: Object.values(settings),
  target: targetOf(settings),
  connect: ({ model }, { address, settings, transport }) => {
    const server = {
      address,
      startIt: `Start Parrot, or set ${settings.address}`,
      checkKey: "Parrot needs no key",
      getModel: `Check the name ${model} in DOCFLOW_LLM`
    }
    return Effect.succeed({
      contextTokens: 4096,
      seesPictures: false,
      forms: ["words"],
      temperature: undefined,
      thinkingTokens: 0,
      attempt: (request) =>
        Effect.map(
          exchangeText(server, { transport, url: `${address}/${model}`, headers: {}, body: textOf(request) }),
          (text) => ({ text, wrapped: false, inputTokens: 0, outputTokens: 0 })
        )
    })
  }
}
