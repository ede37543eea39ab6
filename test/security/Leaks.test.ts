import { readFile } from "node:fs/promises"
import { beforeAll, describe, expect, test } from "vitest"
import { base64, runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { type Answer, type Tenant, useService } from "../support/TestService.ts"
import { endpoints, filled } from "./Endpoints.ts"

const service = useService()
const adminToken = "the-admin-token-of-the-tests"
const webhookSecret = "whsec_a-secret-that-only-the-caller-knows"
/** On the invoice, which the service reads and gives back in its output, but may not tell of anywhere else. */
const onTheInvoice = ["Northwind Paper Supply", "INV-12542"]

let tenant: Tenant
const errors: Array<Answer> = []
const ask = async (...[method, path, sent]: Parameters<typeof service.it.request>): Promise<Answer> => {
  const answer = await service.it.request(method, path, sent)
  if (answer.status >= 400) errors.push(answer)
  return answer
}
const run = async (flow: string, body: unknown, key = tenant.live) =>
  ask("POST", `/api/v1/flows/${flow}/run`, { key, body })

beforeAll(async () => {
  tenant = await service.it.tenant()
  const invoice = base64(await readFile("examples/invoice.pdf"))
  const whole = { wait: true, webhookUrl: "https://receiver.invalid/hook", webhookSecret }
  const read = await run("invoice", {
    ...whole,
    input: { document: { base64: invoice, filename: "secret-name.pdf" } }
  })
  expect(textAt(read.body, "status")).toBe("completed")
  // Every way in which a run ends or is refused.
  for (const flow of [
    "boom",
    "boom-provider",
    "boom-document",
    "boom-defect",
    "slow-step",
    "slow-flow",
    "strict"
  ]) {
    await run(flow, await runOf(whole))
  }
  await run("hold", await runOf({ wait: true, timeout: 1, variables: { gate: "leaks" } }))
  await run("nothing", await runOf())
  await run("greet", await runOf({ version: "9.9.9" }))
  await run("picky", await runOf({ variables: { customer: 5 } }))
  await run("picky", await runOf())
  for (const text of ["!!", "AAAA", base64(Buffer.from("%PDF-1.4 broken")), base64(Buffer.from("<svg>"))]) {
    await run("greet", { input: { document: { base64: text } } })
  }
  for (const raw of ["{", "[]", "", "{}", '{"input":1}', "[".repeat(100)]) {
    await ask("POST", "/api/v1/flows/greet/run", { key: tenant.live, raw })
  }
  const poor = await service.it.tenant({ plan: "free", credits: 0 })
  await run("greet", await runOf(), poor.live)
  await run("pro-only", await runOf(), poor.live)
  // Every endpoint: without a key, with a wrong one, with ids and parameters that are none, with the wrong method.
  for (const { isAdmin, method, path } of endpoints) {
    const key = isAdmin ? adminToken : tenant.live
    const body = method === "POST" ? { body: {} } : {}
    await ask(method, filled(path))
    await ask(method, filled(path), { key: "wrong", ...body })
    await ask(method, filled(path), { key, ...body })
    await ask(
      method,
      `${filled(path, { id: "'--", executionId: "%27%3B", flowId: "%00" })}?limit=x&include=x`,
      {
        key,
        ...body
      }
    )
    await ask("PATCH", filled(path), { key, ...body })
    // There are so many endpoints that this address would be refused for its wrong tokens.
    await service.it.rows("delete from rate_windows")
  }
})

describe("an error's body", () => {
  test("was seen in every kind that this service answers", () => {
    const codes = new Set(errors.map(({ body }) => textAt(body, "error.code")))
    expect([...codes].sort()).toEqual(
      expect.arrayContaining([
        "EXECUTION_NOT_FOUND",
        "EXECUTION_TIMEOUT",
        "FLOW_NOT_FOUND",
        "INSUFFICIENT_CREDITS",
        "INVALID_API_KEY",
        "INVALID_DOCUMENT",
        "INVALID_INPUT",
        "MISSING_REQUIRED_FIELD",
        "SUBSCRIPTION_REQUIRED",
        "UNAUTHORIZED",
        "VALIDATION_ERROR",
        "VERSION_NOT_FOUND"
      ])
    )
  })

  test.each([
    ["a stack", /\bat [\w.$<>]+ \(|\.[jt]s:\d+|node:internal/u],
    [
      "SQL",
      /\b(?:select|insert into|update|delete from)\b.*\b(?:from|set|values|where)\b|SqlError|duplicate key|constraint/iu
    ],
    ["a path of the file system", /\/(?:home|root|tmp|work|usr|etc|var|node_modules)\/|file:\/\//u],
    ["the inside of a library", /pglite|postgres|pdfium|undici|effect\/|ECONN|ENOENT|TypeError|ajv/iu],
    ["a defect", /SECRET-OF-THE-DOCUMENT/u]
  ])("holds no %s", (_, pattern) => {
    expect(errors.map(({ text }) => text).filter((text) => pattern.test(text))).toEqual([])
  })

  test("does not show what was sent to authenticate", () => {
    const all = errors.map(({ headers, text }) => text + [...headers].flat().join("\n")).join("\n")
    for (const secret of [tenant.live, tenant.test, adminToken, webhookSecret])
      expect(all).not.toContain(secret)
  })
})

test("an execution that failed tells nothing of the inside either", async () => {
  const { text } = await service.it.admin("GET", `/organizations/${tenant.id}/executions?status=failed`)
  expect(text).toMatch(/"code":"EXECUTION_FAILED"/u)
  expect(text).not.toMatch(/SECRET-OF-THE-DOCUMENT|\.[jt]s:\d+|node_modules/u)
})

describe("nothing secret is", () => {
  test("in a dump of all tables: no key, no webhook secret, no admin token", async () => {
    const tables = await service.it.rows(
      "select table_name as name from information_schema.tables where table_schema = 'public'"
    )
    expect(tables.length).toBeGreaterThan(8)
    let dump = ""
    for (const table of tables) {
      const rows = await service.it.rows(
        `select row_to_json(t)::text as row from "${textAt(table, "name")}" t`
      )
      dump += rows.map((row) => textAt(row, "row")).join("\n")
    }
    // It is a dump: what may be there is.
    expect(dump).toContain(tenant.id)
    expect(dump).toContain("receiver.invalid")
    const random = [tenant.live, tenant.test].map((key) => key.split("_")[2]?.slice(0, 30) ?? key)
    const inHex = [webhookSecret, adminToken].map((secret) => Buffer.from(secret).toString("hex"))
    const inBase64 = [webhookSecret, adminToken].map((secret) =>
      Buffer.from(secret).toString("base64").slice(0, 20)
    )
    for (const secret of [webhookSecret, adminToken, ...random, ...inHex, ...inBase64]) {
      expect(dump).not.toContain(secret)
    }
  })

  test("in the logs: nor any text or name of a document", () => {
    const logs = service.it.logs.join("\n")
    expect(logs).toContain("request")
    const random = [tenant.live, tenant.test].map((key) => key.split("_")[2]?.slice(0, 30) ?? key)
    for (const secret of [webhookSecret, adminToken, ...random, ...onTheInvoice, "secret-name"]) {
      expect(logs).not.toContain(secret)
    }
  })

  test("in the metrics", async () => {
    const { text } = await service.it.request("GET", "/metrics")
    for (const secret of [tenant.live, adminToken, webhookSecret, ...onTheInvoice, tenant.id]) {
      expect(text).not.toContain(secret)
    }
  })
})
