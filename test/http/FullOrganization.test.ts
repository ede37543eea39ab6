import { expect, test } from "vitest"
import { notAPdf } from "../fixtures/Pdfs.ts"
import { base64, runOf } from "../support/Documents.ts"
import { expectError, expectRateHeaders } from "../support/Expect.ts"
import { numberAt, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

// An organization that is refused all the time because it has as many executions as it may have at once.
const service = useService()
const post = (key: string, flow: string, body: unknown) =>
  service.it.call("POST", `/flows/${flow}/run`, { key, body })

const fill = async (
  limit: number,
  gate: string,
  credits = 1000
): Promise<Tenant & { readonly ids: ReadonlyArray<string> }> => {
  const tenant = await service.it.tenant({ plan: "enterprise", concurrentExecutions: limit, credits })
  const ids: Array<string> = []
  for (let index = 0; index < limit; index++) {
    const body = await runOf({ idempotencyKey: `${gate} ${index}`, variables: { gate } })
    ids.push(textAt((await post(tenant.live, "hold", body)).body, "id"))
  }
  await press(tenant.live)
  return { ...tenant, ids }
}

const press = async (key: string): Promise<void> => {
  const refused = await runOf()
  for (let count = 0; count < 6; count++) {
    expectError(await post(key, "greet", refused), 429, "CONCURRENT_LIMIT")
  }
}

const notPdf = { input: { document: { base64: base64(notAPdf()) } } }

test("is refused with the usual error and headers", async () => {
  const { live } = await fill(1, "before")
  const answer = await post(live, "greet", await runOf())
  expectError(answer, 429, "CONCURRENT_LIMIT")
  expectRateHeaders(answer)
  expect(answer.body).toMatchObject({ error: { details: { limit: 1 } } })
  expect(answer.headers.get("retry-after"), "a place may be free long before the minute is over").toBe("1")
})

test("is told first what is wrong with the request itself", async () => {
  const { live } = await fill(1, "first")
  const body = await runOf()
  expectError(await post(live, "greet", {}), 400, "INVALID_INPUT")
  expectError(await post(live, "nothing", body), 404, "FLOW_NOT_FOUND")
  expectError(await post(live, "greet", { ...body, version: "9.9.9" }), 404, "VERSION_NOT_FOUND")
  const noBase64 = { input: { document: { base64: "%" } } }
  expectError(await post(live, "greet", noBase64), 422, "VALIDATION_ERROR")
  expectError(await post(live, "greet", notPdf), 422, "INVALID_DOCUMENT")
})

test("is answered with the execution of an idempotency key, however the key is written", async () => {
  const { ids, live } = await fill(2, "keys")
  const body = await runOf({ idempotencyKey: "keys 1", variables: { gate: "keys" } })
  const again = await post(live, "hold", body)
  expect([again.status, textAt(again.body, "id")]).toEqual([200, ids[1]])
  const raw = JSON.stringify(body).replace("idempotencyKey", String.raw`idempotency\u004bey`)
  const escaped = await service.it.call("POST", "/flows/hold/run", { key: live, raw })
  expect([escaped.status, textAt(escaped.body, "id")]).toEqual([200, ids[1]])
  expectError(await post(live, "hold", { ...body, metadata: { other: true } }), 422, "VALIDATION_ERROR")
})

test("makes one execution of a key that is posted many times when a place becomes free", async () => {
  const { ids, live } = await fill(1, "twins")
  const body = await runOf({ idempotencyKey: "twin", wait: true })
  await service.it.call("POST", `/runs/${ids[0]}/cancel`, { key: live })
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(live, "greet", body)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map((answer) => textAt(answer.body, "id"))).size).toBe(1)
})

test("gets a place as soon as one is free", async () => {
  const { ids, live } = await fill(2, "place")
  const body = await runOf()
  for (const id of ids) {
    expectError(await post(live, "greet", body), 429, "CONCURRENT_LIMIT")
    await service.it.call("POST", `/runs/${id}/cancel`, { key: live })
    expect((await post(live, "greet", { ...body, wait: true, timeout: 60_000 })).status).toBe(200)
    expect((await post(live, "hold", await runOf({ variables: { gate: "place" } }))).status).toBe(200)
  }
})

test("gets the place of a run that is refused for another reason", async () => {
  const { ids, live } = await fill(1, "reason", 5)
  await service.it.call("POST", `/runs/${ids[0]}/cancel`, { key: live })
  expectError(await post(live, "greet", notPdf), 422, "INVALID_DOCUMENT")
  expectError(await post(live, "greet", await runOf({ pages: 10 })), 402, "INSUFFICIENT_CREDITS")
  expect((await post(live, "greet", await runOf())).status).toBe(200)
})

const unfinished = async (id: string): Promise<number> => {
  const [row] = await service.it.rows(
    `select count(*)::int as unfinished from executions where organization_id = '${id}' and status in ('pending', 'running')`
  )
  return numberAt(row, "unfinished")
}

test("gets a place within a second or so although nobody said that it became free", async () => {
  const { ids, live } = await fill(1, "silent")
  const moveTo = (environment: string) =>
    service.it.rows(`update executions set environment = '${environment}' where id = '${ids[0]}'`)
  await moveTo("test")
  const body = await runOf({ wait: true })
  await until("the place", async () => {
    const answer = await post(live, "greet", body)
    if (answer.status === 200) return true
    // A pause long enough to be forgotten would give the place too.
    expectError(answer, 429, "CONCURRENT_LIMIT")
    return undefined
  })
  await moveTo("live")
})

test("never has more executions than it may have, and loses none", async () => {
  const limit = 3
  const { id, live } = await service.it.tenant({
    plan: "enterprise",
    concurrentExecutions: limit,
    credits: 1000
  })
  const body = await runOf({ wait: true })
  const completed: Array<string> = []
  const statuses = new Set<number>()
  let most = 0
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (let tries = 0; tries < 12; tries++) {
        const answer = await post(live, "greet", body)
        most = Math.max(most, await unfinished(id))
        statuses.add(answer.status)
        if (answer.status === 200) completed.push(textAt(answer.body, "id"))
      }
    })
  )
  expect(most).toBeLessThanOrEqual(limit)
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 429])
  const { body: executions } = await service.it.admin(
    "GET",
    `/organizations/${id}/executions?status=completed`
  )
  expect(executions).toMatchObject({ total: new Set(completed).size })
  expect(await service.it.credits(id)).toEqual({ balance: 1000 - completed.length, reserved: 0 })
})
