import { Schema } from "effect"
import { WebhookEvent } from "./Delivery.ts"

/** The longest wait for a result in the same request, in milliseconds. */
export const maxWaitMs = 60_000
/** The default wait, in milliseconds. */
export const defaultWaitMs = 30_000

/** The largest metadata, in bytes of JSON. */
export const maxMetadataBytes = 16_384

/** The longest file name, in characters: longer than any file system allows, and short enough to be stored with each execution. */
const maxFilename = 1_024
/** The longest MIME type with its parameters, name of a version and name of a step, in characters. */
export const maxName = 255

const DocumentInput = Schema.Struct({
  base64: Schema.String.annotate({
    description: "The document in base64, with or without a data URL prefix."
  }),
  filename: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxFilename))),
  mimeType: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(maxName)).annotate({
      description: "Found from the bytes when absent."
    })
  )
}).annotate({ identifier: "DocumentInput" })

/** The body of `POST /flows/{flowId}/run`. */
export const RunRequest = Schema.Struct({
  version: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxName))),
  wait: Schema.optionalKey(Schema.Boolean),
  timeout: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: maxWaitMs })).annotate({
      description: "How long `wait` waits, in milliseconds; a fraction is rounded up."
    })
  ),
  idempotencyKey: Schema.optionalKey(
    Schema.String.check(Schema.isBetweenCodePoints(1, 255)).annotate({
      description: "Requests with the same key within 24 hours make one execution."
    })
  ),
  webhookUrl: Schema.optionalKey(Schema.String.check(Schema.isBetweenLength(1, 2048))),
  webhookSecret: Schema.optionalKey(Schema.String.check(Schema.isBetweenLength(1, 1024))),
  webhookEvents: Schema.optionalKey(
    Schema.Array(WebhookEvent)
      .check(Schema.isMinLength(1, { message: "must contain at least one event" }), Schema.isUnique())
      .annotate({
        description:
          "The events to send. Default: the three ends of an execution. `corrections.saved` needs the scope `corrections:read`."
      })
  ),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  input: Schema.Struct({
    document: DocumentInput,
    variables: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  })
}).annotate({
  identifier: "RunRequest",
  examples: [
    {
      wait: true,
      input: { document: { base64: "JVBERi0xLjcK…", filename: "invoice.pdf", mimeType: "application/pdf" } },
      metadata: { customer: "42" }
    }
  ]
})
export type RunRequest = typeof RunRequest.Type

/** A run as it was received. */
export interface ReceivedRun extends RunRequest {
  /** The bytes of the document, if they are decoded already. Then `base64` is only what was sent before them: nothing, or the prefix of a data URL. */
  readonly decoded?: Uint8Array
}
