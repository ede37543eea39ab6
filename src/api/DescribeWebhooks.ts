const header = (name: string, description: string) => ({
  name,
  in: "header",
  description,
  schema: { type: "string" }
})

const body = (event: string) => ({
  type: "object",
  required: ["type", "event", "timestamp", "data"],
  properties: {
    type: { type: "string", const: event },
    event: { type: "string", const: event, description: "The same as `type`." },
    timestamp: { type: "string", format: "date-time" },
    data: {
      allOf: [
        { $ref: "#/components/schemas/Execution" },
        {
          type: "object",
          properties: {
            outputOmitted: {
              type: "boolean",
              description:
                "`true` when the body would be over 1 MiB: output and corrections are left out. `GET /runs/{executionId}` returns them."
            }
          }
        }
      ]
    }
  }
})

const webhook = (event: string, summary: string, when = "") => ({
  post: {
    operationId: `webhooks.${event}`,
    tags: ["Executions"],
    summary,
    description:
      when +
      "Sent to the `webhookUrl` of the run. Any answer with 2xx within 15 seconds accepts it; otherwise it is sent again, " +
      "with the same `webhook-id`.",
    security: [],
    parameters: [
      header(
        "X-Service-Signature",
        "`sha256=` and the HMAC-SHA256 of the body in hexadecimal, with `webhookSecret` as its key."
      ),
      header("webhook-id", "The id of the delivery, the same in every attempt."),
      header("webhook-timestamp", "When the attempt was signed, in Unix seconds."),
      header("webhook-signature", "The signature of Standard Webhooks.")
    ],
    requestBody: { required: true, content: { "application/json": { schema: body(event) } } },
    responses: {
      "2XX": { description: "The delivery is accepted." },
      "410": { description: "The delivery is not sent again." }
    }
  }
})

/** The webhooks of the OpenAPI document: one for each way an execution can end, and one for corrections. */
export const describeWebhooks = {
  "execution.completed": webhook("execution.completed", "An execution has completed"),
  "execution.failed": webhook("execution.failed", "An execution has failed"),
  "execution.cancelled": webhook("execution.cancelled", "An execution was cancelled"),
  "corrections.saved": webhook(
    "corrections.saved",
    "Somebody corrected or confirmed values",
    "Only for runs that name it in `webhookEvents`. `data.corrections` is what holds when the attempt is made. "
  )
}
