import { Config, Option, Redacted, Schema } from "effect"
import { mapped, optional, type Setting } from "../../config/Setting.ts"
import type { Transport } from "./ModelHttp.ts"
import type { Target } from "./Provider.ts"

const isAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === ""
}
/** The address of a provider's server: http or https, without a password. */
export const address = Schema.String.check(
  Schema.makeFilter(isAddress, {
    message: "must be an address, like https://models.example.com, without a password"
  })
)

/** A provider's key: one line without spaces. */
const key = (label: string) =>
  Schema.RedactedFromValue(
    Schema.String.check(Schema.isPattern(/^[!-~]*$/u, { message: "must be one line without spaces" })),
    { label }
  )

/** Compose files pass unset variables as empty strings. */
const isFilled = (key: Redacted.Redacted): boolean => Redacted.value(key) !== ""

/** The setting of a provider's key; an empty one counts as unset. */
export const keySetting = (name: string, description: string) =>
  mapped(optional(name, key(name), description), Option.filter(isFilled))

const proxyNames = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"] as const

/** The proxy of the environment, under its usual names in either case. */
export const proxySettings: Config.Config<Readonly<Record<string, string>>> = Config.map(
  Config.all(
    proxyNames.map((name) =>
      Config.map(
        Config.option(Config.String(name).pipe(Config.orElse(() => Config.String(name.toLowerCase())))),
        (value) => (Option.isSome(value) && value.value !== "" ? [[name, value.value] as const] : [])
      )
    )
  ),
  (found) => Object.fromEntries(found.flat())
)

/** The server that two settings name. */
export const targetOf = (settings: {
  readonly address: Setting<string>
  readonly key: Setting<Option.Option<Redacted.Redacted>>
}): Config.Config<Target> =>
  Config.map(
    Config.all({ address: settings.address, key: settings.key, proxy: proxySettings }),
    ({ address, key, proxy }) => {
      const transport: Transport = { headers: {}, proxy }
      return {
        address,
        key,
        transport,
        settings: { address: settings.address.variable, key: settings.key.variable }
      }
    }
  )
