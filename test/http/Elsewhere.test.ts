import { Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { afterAll, expect, test } from "vitest"
import { layerElsewhere } from "../../src/http/Routes.ts"

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.text("live"))
const { dispose, handler } = HttpRouter.toWebHandler(
  Layer.provide(Layer.merge(live, layerElsewhere), HttpServer.layerServices),
  { disableLogger: true }
)
afterAll(dispose)

const send = async (method: string, path: string) => {
  const response = await handler(new Request(`http://localhost${path}`, { method }))
  return [response.status, response.headers.get("allow"), await response.json()]
}

test.each(["/health/live", "/health/ready?x=1", "/metrics"])(
  "a process that only runs executions answers POST %s like the others",
  async (path) => {
    const message = "POST is not allowed here: use GET"
    expect(await send("POST", path)).toEqual([405, "GET", { error: { code: "INVALID_INPUT", message } }])
  }
)

test.each(["/openapi.json", "/api/v1/flows"])("it has nothing at %s, and names the others", async (path) => {
  const message = expect.stringContaining("DOCFLOW_ROLE=runner")
  expect(await send("GET", path)).toEqual([404, null, { error: { code: "INVALID_INPUT", message } }])
})

test("HEAD is answered where GET is", async () => {
  const response = await handler(new Request("http://localhost/health/live", { method: "HEAD" }))
  expect(response.status).toBe(200)
})
