import { expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at } from "../support/Json.ts"
import { useService } from "../support/TestService.ts"

const service = useService()
const get = (path: string) => service.it.request("GET", path)

test("GET /health/live and /health/ready answer 200 without a key", async () => {
  expect((await get("/health/live")).status).toBe(200)
  expect((await get("/health/ready")).status).toBe(200)
})

test("GET /metrics speaks Prometheus", async () => {
  const { live } = await service.it.tenant()
  await service.it.call("GET", "/flows", { key: live })
  const { headers, status, text } = await get("/metrics")
  expect(status).toBe(200)
  expect(headers.get("content-type")).toMatch(/^text\/plain/u)
  expect(text).toMatch(/^# TYPE \S+ (counter|gauge|histogram|summary)$/mu)
  for (const line of text.trim().split("\n")) {
    expect(line).toMatch(/^(#.*|[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? (NaN|[+-]?Inf|[-+0-9.eE]+)( \d+)?)$/u)
  }
})

/** The value of a series in the metrics; 0 before it is counted. */
const value = async (series: string) => {
  const { text } = await get("/metrics")
  const line = text.split("\n").find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length) ?? 0)
}

test("GET /metrics counts requests by status and executions by outcome", async () => {
  const { live } = await service.it.tenant()
  const found = 'docflow_http_requests_total{method="GET",status="404"}'
  const completed = 'docflow_executions_ended_total{status="completed"}'
  const [missing, ended] = [await value(found), await value(completed)]
  await service.it.call("GET", "/flows/nothing", { key: live })
  await service.it.call("POST", "/flows/greet/run", { key: live, body: await runOf({ wait: true }) })
  expect(await value(found)).toBe(missing + 1)
  expect(await value(completed)).toBe(ended + 1)
  // The first sweep reports it.
  expect(await value('docflow_table_bytes{table="executions"}')).toBeGreaterThan(0)
})

test("GET /openapi.json is the document of the contract", async () => {
  const { body, headers, status } = await get("/openapi.json")
  expect(status).toBe(200)
  expect(headers.get("content-type")).toMatch(/^application\/json/u)
  expect(at(body, "openapi")).toMatch(/^3\.1\./u)
})

test("GET /docs answers a page that fetches nothing from elsewhere", async () => {
  const { headers, status, text } = await get("/docs")
  expect(status).toBe(200)
  expect(headers.get("content-type")).toMatch(/^text\/html/u)
  const markup = text.replaceAll(/<script\b[^>]*>[^]*?<\/script>/gu, (script) =>
    script.slice(0, script.indexOf(">") + 1)
  )
  expect(markup).not.toMatch(/\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//u)
  expect(markup).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//u)
})

test("every answer carries a request id, and the log lines the same", async () => {
  const { live } = await service.it.tenant()
  const { headers } = await service.it.call("GET", "/flows", { key: live })
  const id = headers.get("x-request-id")
  expect(id).toMatch(/./u)
  expect(service.it.logs.some((line) => line.includes(`"requestId":"${id}"`))).toBe(true)
})

test("logs hold neither keys, nor secrets, nor what a defect said, nor the query", async () => {
  const { live } = await service.it.tenant()
  const body = await runOf({
    wait: true,
    timeout: 60_000,
    webhookUrl: "https://example.com/hook",
    webhookSecret: "whsec-of-the-test"
  })
  await service.it.call("POST", "/flows/boom-defect/run", { key: live, body })
  await service.it.call("GET", "/flows?limit=7&password=in-the-query", { key: live })
  const logs = service.it.logs.join("\n")
  for (const secret of [live, "whsec-of-the-test", "SECRET-OF-THE-DOCUMENT", "in-the-query"]) {
    expect(logs).not.toContain(secret)
  }
})

test("HEAD is answered like GET, without a body", async () => {
  const { live } = await service.it.tenant()
  const { status, text } = await service.it.call("HEAD", "/flows", { key: live })
  expect([status, text]).toEqual([200, ""])
})
