import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { programOf } from "../../src/document/process/ReaderProcess.ts"
import { runOf } from "../support/Documents.ts"
import { expectRateHeaders } from "../support/Expect.ts"
import { textAt } from "../support/Json.ts"
import { useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

/** SQLSTATEs of a server that cannot do its work: disk full, too many connections, shutdown, start, lost, I/O, standby. */
const outages = ["53100", "53300", "57P01", "57P03", "08006", "58030", "25006"]

describe("a database or document store that fails", () => {
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
      const tenant = await service.it.tenant()
      const body = await runOf({ variables: { gate: "killed" } })
      const made = await service.it.call("POST", "/flows/hold-parse/run", { key: tenant.live, body })
      const id = textAt(made.body, "id")
      await until("the gate", async () => (service.it.gates.waitingAt("killed") > 0 ? true : undefined))
      const killing = setInterval(killReaders, 5)
      try {
        const refused = await service.it.call("POST", "/flows/hold-parse/run", {
          key: tenant.live,
          body: await runOf({ variables: { gate: "killed" }, pages: 2 }),
          mayBeRefused: true
        })
        assert.deepStrictEqual(
          [refused.status, refused.headers.get("retry-after"), textAt(refused.body, "error.code")],
          [503, "1", "SERVICE_UNAVAILABLE"]
        )
        service.it.gates.open("killed")
        const failed = await service.it.awaitStatus(tenant.live, id, "failed")
        assert.deepStrictEqual(
          [textAt(failed, "error.code"), textAt(failed, "error.step")],
          ["EXECUTION_FAILED", "read"]
        )
      } finally {
        clearInterval(killing)
      }
      const accepted = await service.it.call("POST", "/flows/greet/run", {
        key: tenant.live,
        body: await runOf()
      })
      assert.strictEqual(accepted.status, 200)
    }
  )
})

/** Ends the readers of this process as the kernel does when the machine is out of memory. */
const killReaders = (): void => {
  for (const task of readdirSync("/proc/self/task")) {
    const children = readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ")
    for (const child of children.filter((pid) => pid !== "")) {
      const program = programOf(Number(child))
      try {
        if (readFileSync(`/proc/${program}/cmdline`, "utf8").includes("process/Child"))
          process.kill(program, "SIGKILL")
      } catch {
        // It has ended.
      }
    }
  }
}
