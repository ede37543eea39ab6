import { Redacted, Schema } from "effect"

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
export const key = (label: string) =>
  Schema.RedactedFromValue(
    Schema.String.check(Schema.isPattern(/^[!-~]*$/u, { message: "must be one line without spaces" })),
    { label }
  )

/** Compose files pass variables that are not set as empty ones. */
export const isFilled = (key: Redacted.Redacted): boolean => Redacted.value(key) !== ""
