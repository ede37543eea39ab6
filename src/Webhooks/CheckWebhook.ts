import { Effect } from "effect"
import { ValidationFailed } from "../domain/Errors.ts"
import type { Environment } from "../domain/Organization.ts"
import type { RunRequest } from "../domain/RunRequest.ts"

/** Refuses a webhook address that could never be delivered to: live keys need `https:`, test keys may use `http:`. */
export const checkWebhook = (
  request: RunRequest,
  environment: Environment
): Effect.Effect<void, ValidationFailed> => {
  const { webhookUrl } = request
  if (webhookUrl === undefined) return Effect.void
  const reason = problemWith(webhookUrl, environment)
  return reason === undefined
    ? Effect.void
    : new ValidationFailed({ message: "Invalid webhook URL", details: { field: "webhookUrl", reason } })
}

const problemWith = (address: string, environment: Environment): string | undefined => {
  if (!URL.canParse(address)) return "it is not an absolute URL"
  const { password, protocol, username } = new URL(address)
  if (username !== "" || password !== "") return "it holds a user name or a password"
  if (protocol === "https:") return undefined
  if (protocol === "http:" && environment === "test") return undefined
  return environment === "test" ? "it must start with https: or http:" : "it must start with https:"
}
