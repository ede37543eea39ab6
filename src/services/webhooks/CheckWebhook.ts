import { Effect } from "effect"
import { ValidationFailed } from "../../domain/Errors.ts"
import type { Environment } from "../../domain/Organization.ts"
import type { RunRequest } from "../../domain/RunRequest.ts"
import { problemWithUrl } from "../../providers/outbound/TargetPolicy.ts"

/** Refuses a webhook address that will never be sent to, as far as its text tells. */
export const checkWebhook = (
  request: RunRequest,
  environment: Environment
): Effect.Effect<void, ValidationFailed> => {
  if (request.webhookUrl === undefined) return Effect.void
  const reason = problemWithUrl(request.webhookUrl, environment)
  return reason === undefined
    ? Effect.void
    : new ValidationFailed({
        message: `Invalid webhook URL: ${reason}`,
        details: { field: "webhookUrl", reason }
      })
}
