import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Settings } from "../../src/config/Config.ts"
import { FetchInput } from "../../src/http/FetchInput.ts"
import { readRunRequest } from "../../src/http/ReadRunRequest.ts"
import { Outbound } from "../../src/providers/outbound/Outbound.ts"
import { decodeDocument } from "../../src/services/executions/DecodeDocument.ts"

const bytes = Buffer.from("a document of another host")

/** Another host: public addresses, the only ones that are fetched, are not there in tests. */
const host = Layer.succeed(
  Outbound,
  Outbound.of({
    send: () =>
      Effect.succeed({ status: 200, headers: {}, read: () => Effect.succeed({ bytes, isWhole: true }) })
  })
)
const settings = Settings.layer.pipe(
  Layer.provide(
    ConfigProvider.layer(ConfigProvider.fromUnknown({ DOCFLOW_ADMIN_TOKEN: "the-token-of-a-test" }))
  )
)
const fetching = FetchInput.layer.pipe(Layer.provide([host, settings]))

it.effect("a document that is named by its URL is run with its bytes, name and declared type", () =>
  Effect.gen(function* () {
    const { resolve } = yield* FetchInput
    const document = { url: "https://example.com/a%20bill.txt", mimeType: "text/plain" }
    const body = yield* resolve({ json: { input: { document } } }, "organization")
    const run = yield* readRunRequest(body, 1_000)
    expect(decodeDocument(run)).toEqual({
      bytes,
      filename: "a bill.txt",
      declaredType: "text/plain",
      problem: undefined
    })
  }).pipe(Effect.provide(fetching))
)
