import { Option, Redacted, Schema } from "effect"
import { mapped, optional } from "../../config/Setting.ts"

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
