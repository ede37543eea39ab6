import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Settings } from "../../src/config/Config.ts"
import * as RequestContext from "../../src/http/RequestContext.ts"

const interrupted = HttpRouter.add("GET", "/interrupted", Effect.interrupt).pipe(
  Layer.provide(RequestContext.layer),
  Layer.provide(Settings.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))),
  Layer.provide([NodeCrypto.layer, HttpServer.layerServices])
)

it("a request that is interrupted because the process stops is answered in the envelope", async () => {
  const { dispose, handler } = HttpRouter.toWebHandler(interrupted)
  const response = await handler(
    new Request("http://localhost/interrupted", { headers: { host: "localhost" } })
  )
  assert.strictEqual(response.status, 503)
  assert.strictEqual(response.headers.get("retry-after"), "1")
  assert.match(response.headers.get("x-request-id") ?? "", /^req_/u)
  assert.deepStrictEqual(await response.json(), {
    error: { code: "SERVICE_UNAVAILABLE", message: "The service is stopping; try again in a second" }
  })
  await dispose()
})
