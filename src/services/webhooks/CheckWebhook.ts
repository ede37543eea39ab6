import { Effect } from "effect"
import { ValidationFailed } from "../../domain/Errors.ts"
import type { Environment } from "../../domain/Organization.ts"
import type { RunRequest } from "../../domain/RunRequest.ts"
import { problemWithUrl } from "../../providers/outbound/TargetPolicy.ts"

/** Refuses events without an address to send them to, and an address that will never be sent to, as far as its text tells. */
export const checkWebhook = (
  request: RunRequest,
  environment: Environment
): Effect.Effect<void, ValidationFailed> => {
  const reason = problemOf(request, environment)
  return reason === undefined
    ? Effect.void
    : new ValidationFailed({
        message: `Invalid webhook URL: ${reason}`,
        details: { field: "webhookUrl", reason }
      })
}

const problemOf = ({ webhookEvents, webhookUrl }: RunRequest, environment: Environment) => {
  if (webhookUrl !== undefined) return problemWithUrl(webhookUrl, environment)
  return webhookEvents === undefined ? undefined : "webhookEvents requires one"
}
