import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { statusForCode } from "../../src/api/ErrorEnvelope.ts"
import { apiErrors } from "../../src/domain/Errors.ts"
import { ExecutionError } from "../../src/domain/Execution.ts"
import { FailureCode } from "../../src/domain/FailureCode.ts"
import { runOf } from "../support/Documents.ts"
import { expectRateHeaders } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { killReaders } from "../support/KillReaders.ts"
import { type Answer, type Sent, useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

/** SQLSTATEs of a server that cannot do its work: disk full, too many connections, shutdown, start, lost, I/O, standby. */
const outages = ["53100", "53300", "57P01", "57P03", "08006", "58030", "25006"]

const service = useOwnService({ DOCFLOW_BLOBS: "database" })

/** From now on a change of the table fails as the server says it would; `when` restricts that. */
const breakTable = async (table: string, on: "insert" | "update", code: string, when = "true") => {
  await service.it.rows(
    `create or replace function outage_${table}() returns trigger language plpgsql as $$
     begin if ${when} then raise exception 'simulated outage' using errcode = '${code}'; end if; return new; end $$`
  )
  await service.it.rows(
    `create or replace trigger outage before ${on} on ${table} for each row execute function outage_${table}()`
  )
}
const mend = (table: string) => service.it.rows(`drop trigger outage on ${table}`)

const retries = (id: string) =>
  service.it.logs.filter((line) => line.includes("is tried again") && line.includes(id)).length

describe("a database or document store that fails", () => {
  it("is 503 with Retry-After in the envelope, and the process says that it is not ready", async () => {
    const tenant = await service.it.tenant()
    const body = await runOf()
    for (const code of outages) {
      await breakTable("executions", "insert", code)
      const sent = { key: tenant.live, body, mayBeRefused: true }
      const refused = await service.it.call("POST", "/flows/greet/run", sent)
      assert.deepStrictEqual(
        [code, refused.status, refused.headers.get("retry-after"), textAt(refused.body, "error.code")],
        [code, 503, "1", "SERVICE_UNAVAILABLE"]
      )
      const ready = await service.it.request("GET", "/health/ready", { mayBeRefused: true })
      assert.strictEqual(ready.status, 503)
      assert.strictEqual(textAt(ready.body, "reason"), `the database failed: ${code}`)
    }
    await mend("executions")
    const accepted = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })
    assert.strictEqual(accepted.status, 200)
    await until("the process to be ready", async () =>
      (await service.it.request("GET", "/health/ready")).status === 200 ? true : undefined
    )
  })

  it("is 503 with rate-limit headers where requests cannot be counted", async () => {
    const { live: key } = await service.it.tenant()
    await breakTable("rate_windows", "insert", "57P01")
    for (const sent of [{ key }, {}]) {
      const refused = await service.it.call("GET", "/flows", { ...sent, mayBeRefused: true })
      assert.strictEqual(refused.status, 503)
      expectRateHeaders(refused)
    }
    await mend("rate_windows")
    assert.strictEqual((await service.it.call("GET", "/flows", { key })).status, 200)
  })

  it("does not fail the executions that run, nor count against them", async () => {
    const tenant = await service.it.tenant()
    const made = await service.it.call("POST", "/flows/half/run", {
      key: tenant.live,
      body: await runOf({ variables: { gate: "outage" } })
    })
    const id = textAt(made.body, "id")
    await service.it.awaitStatus(tenant.live, id, "running")
    await until("the third step", async () => (service.it.gates.waitingAt("outage") > 0 ? true : undefined))
    await breakTable("step_results", "insert", "53100")
    // The server cannot take back the start either.
    await breakTable("executions", "update", "53100", "new.runner_starts < old.runner_starts")
    service.it.gates.open("outage")
    await until("three tries", async () => (retries(id) >= 3 ? true : undefined))
    await mend("step_results")
    await mend("executions")
    await service.it.awaitStatus(tenant.live, id, "completed")
    const starts = await service.it.rows(`select runner_starts from executions where id = '${id}'`)
    assert.deepStrictEqual(starts, [{ runner_starts: 1 }])
    assert.deepStrictEqual(await service.it.credits(tenant.id), { balance: 9_998, reserved: 0 })
  })

  it("is healthy if one document is damaged, which is an error of its own until the document is sent again", async () => {
    const tenant = await service.it.tenant()
    const body = await runOf()
    const run = () => service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })
    const id = textAt((await run()).body, "id")
    await service.it.awaitStatus(tenant.live, id, "completed")
    const picture = () =>
      service.it.call("GET", `/runs/${id}/pages/1/picture`, { key: tenant.live, mayBeRefused: true })
    await service.it.rows("update blobs set bytes = bytes || 'damaged'")
    const refused = await picture()
    assert.deepStrictEqual([refused.status, textAt(refused.body, "error.code")], [500, "INTERNAL_ERROR"])
    assert.include(textAt(refused.body, "error.message"), "Send the document again")
    assert.strictEqual((await service.it.request("GET", "/health/ready")).status, 200)
    const again = textAt((await run()).body, "id")
    await service.it.awaitStatus(tenant.live, again, "completed")
    assert.strictEqual((await picture()).status, 200)
  })

  it("does not fail a step whose output is so big that it is stored as a blob, compressed", async () => {
    const tenant = await service.it.tenant()
    const made = await service.it.call("POST", "/flows/hold-parse/run", {
      key: tenant.live,
      body: await runOf({ variables: { gate: "store" }, pages: 20 })
    })
    const id = textAt(made.body, "id")
    await until("the gate", async () => (service.it.gates.waitingAt("store") > 0 ? true : undefined))
    await service.it.rows("alter table blobs rename to blobs_away")
    service.it.gates.open("store")
    await until("another try", async () => (retries(id) >= 1 ? true : undefined))
    await service.it.rows("alter table blobs_away rename to blobs")
    await service.it.awaitStatus(tenant.live, id, "completed")
    const stored = await service.it.rows(
      `select substr(bytes, 1, 2) = '\\x1f8b' as is_gzip from step_results r join blobs b on b.blob = r.output_blob
       where execution_id = '${id}' and path = 'read'`
    )
    assert.deepStrictEqual(stored, [{ is_gzip: true }])
  })

  it.skipIf(process.platform !== "linux")(
    "and readers that the system ends are 503, or fail the execution; the document is not to blame",
    async () => {
      const { live: key } = await service.it.tenant()
      let pages = 0
      // Each of another document: one that was read is not read again.
      const run = async () =>
        service.it.call("POST", "/flows/hold-parse/run", {
          key,
          body: await runOf({ variables: { gate: "killed" }, pages: ++pages }),
          mayBeRefused: true
        })
      const accepted = [await run(), await run(), await run()].map(({ body }) => textAt(body, "id"))
      await until("the gates", async () => (service.it.gates.waitingAt("killed") === 3 ? true : undefined))
      const killing = setInterval(killReaders, 5)
      try {
        // A reader may be done before it is killed, if other work keeps this process from it.
        const refused = await until("a refusal", async () => {
          const answer = await run()
          return answer.status === 200 ? undefined : answer
        })
        assert.deepStrictEqual(
          [refused.status, refused.headers.get("retry-after"), textAt(refused.body, "error.code")],
          [503, "1", "SERVICE_UNAVAILABLE"]
        )
        service.it.gates.open("killed")
        const failed = await until("one to fail", async () => {
          const answers = await Promise.all(
            accepted.map((id) => service.it.call("GET", `/runs/${id}`, { key }))
          )
          return answers.find(({ body }) => textAt(body, "status") === "failed")?.body
        })
        assert.deepStrictEqual(
          [textAt(failed, "error.code"), textAt(failed, "error.step")],
          ["EXECUTION_FAILED", "read"]
        )
      } finally {
        clearInterval(killing)
      }
      const last = await service.it.call("POST", "/flows/greet/run", { key, body: await runOf() })
      assert.strictEqual(last.status, 200)
    }
  )
})

/** An error as it was raised. */
interface Raised {
  readonly code: string
  readonly status: number
  readonly step?: string
}
const refused = (answer: Answer): Raised => ({
  code: String(at(answer.body, "error.code")),
  status: answer.status
})
const call = async (method: string, path: string, sent: Sent) =>
  refused(await service.it.call(method, path, { ...sent, mayBeRefused: true }))
const run = async (
  flow: string,
  body: object = {},
  options: Parameters<typeof service.it.tenant>[0] = {}
) => {
  const { live } = await service.it.tenant(options)
  return call("POST", `/flows/${flow}/run`, { key: live, body: { ...(await runOf()), ...body } })
}
/** The error of an execution, with its step. */
const failed = async (flow: string): Promise<Raised> => {
  const { live } = await service.it.tenant()
  const body = await runOf({ wait: true })
  const answer = await service.it.call("POST", `/flows/${flow}/run`, { key: live, body })
  const { code, step } = Schema.decodeUnknownSync(ExecutionError)(at(answer.body, "error"))
  return { code, status: answer.status, ...(step === undefined ? {} : { step }) }
}
const cancel = async (key: string, id: string) => call("POST", `/runs/${id}/cancel`, { key })
/** An execution that waits at a gate, its key, and the body that made it. */
const waiting = async (gate: string, options?: Parameters<typeof service.it.tenant>[0]) => {
  const { live } = await service.it.tenant(options)
  const body = await runOf({ variables: { gate } })
  const made = await service.it.call("POST", "/flows/hold/run", { key: live, body })
  return { key: live, id: textAt(made.body, "id"), body }
}
const whileBroken = async (code: string) => {
  await breakTable("executions", "insert", code)
  const raised = await run("greet")
  await mend("executions")
  return raised
}

const raising: Readonly<Record<string, () => Promise<Raised>>> = {
  UNAUTHORIZED: () => call("GET", "/flows", {}),
  INVALID_API_KEY: () => call("GET", "/flows", { key: "df_live_wrong" }),
  FORBIDDEN: async () => {
    const { id } = await service.it.tenant()
    return call("GET", "/runs", { key: await service.it.key(id, "live", ["flows:read"]) })
  },
  INVALID_INPUT: () => run("greet", { input: {} }),
  VALIDATION_ERROR: () => failed("strict"),
  MISSING_REQUIRED_FIELD: () => run("picky"),
  INVALID_DOCUMENT: () => failed("boom-document"),
  FLOW_NOT_FOUND: () => run("nothing"),
  EXECUTION_NOT_FOUND: async () => cancel((await service.it.tenant()).live, "exec_none"),
  VERSION_NOT_FOUND: () => run("greet", { version: "9.9.9" }),
  INSUFFICIENT_CREDITS: () => run("greet", {}, { plan: "pro", credits: 0 }),
  SUBSCRIPTION_REQUIRED: () => run("pro-only", {}, { plan: "free" }),
  EXECUTION_FAILED: () => failed("boom"),
  EXECUTION_TIMEOUT: () => failed("slow-step"),
  ALREADY_CANCELLED: async () => {
    const { id, key } = await waiting("cancelled")
    await cancel(key, id)
    return cancel(key, id)
  },
  NOT_CANCELLABLE: async () => {
    const { id, key } = await waiting("completed")
    service.it.gates.open("completed")
    await service.it.awaitStatus(key, id, "completed")
    return cancel(key, id)
  },
  RATE_LIMITED: async () => {
    const { live: key } = await service.it.tenant({ plan: "enterprise", requestsPerMinute: 1 })
    // A new minute may begin between two requests.
    return until("a refusal", async () => {
      const raised = await call("GET", "/flows", { key })
      return raised.status === 429 ? raised : undefined
    })
  },
  CONCURRENT_LIMIT: async () => {
    const { body, id, key } = await waiting("full", { plan: "enterprise", concurrentExecutions: 1 })
    const raised = await call("POST", "/flows/hold/run", { key, body })
    await cancel(key, id)
    return raised
  },
  // PostgreSQL refuses data that it never refuses, unless something is wrong with the service.
  INTERNAL_ERROR: () => whileBroken("22000"),
  SERVICE_UNAVAILABLE: () => whileBroken("57P01"),
  PROVIDER_ERROR: () => failed("boom-provider")
}
/** The codes of executions, and the step of each; the run that waited is answered 200. */
const steps: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: "judge",
  INVALID_DOCUMENT: "explode",
  EXECUTION_FAILED: "explode",
  EXECUTION_TIMEOUT: "stuck",
  PROVIDER_ERROR: "explode"
}

describe("every code of the error table comes from a real request or execution", () => {
  it("has a row for each", () => {
    assert.sameMembers(
      Object.keys(raising),
      apiErrors.map(({ identifier }) => identifier)
    )
    assert.sameMembers(Object.keys(steps), [...FailureCode.literals])
  })

  it.each(Object.entries(raising))("%s", async (code, raise) => {
    const step = steps[code]
    assert.deepStrictEqual(
      await raise(),
      step === undefined ? { code, status: statusForCode(code) } : { code, status: 200, step }
    )
  })
})
