import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { hkdfSync } from "node:crypto"
import { connect as connectPlainly } from "node:net"
import { connect } from "node:tls"
import { type Behaviour, receiver } from "../services/webhooks/Receiver.ts"
import { textAt } from "../support/Json.ts"
import { until } from "../support/Until.ts"
import { assertChargedOnce } from "./Ended.ts"
import { adminTokenOfProcess, type Tenant } from "./ServiceProcess.ts"
import type { TwoNodes } from "./TwoNodes.ts"

const eachOf = <A>(count: number, make: (index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** Whether a port answers a process with the key of an admin token; without a token, one that sends without a key. */
const isAnswered = (port: number, token?: string): Promise<boolean> => {
  const psk = Buffer.from(hkdfSync("sha256", token ?? "", "", "docflow cluster", 32))
  const keyed = {
    ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
    maxVersion: "TLSv1.2",
    pskCallback: () => ({ psk, identity: "docflow" }),
    checkServerIdentity: () => undefined
  } as const
  const socket =
    token === undefined
      ? connectPlainly(port, "127.0.0.1").end('{"_tag":"Ping"}\n')
      : connect({ port, host: "127.0.0.1", ...keyed })
  return new Promise<boolean>((resolve) => {
    socket.on("secureConnect", () => resolve(true)).on("data", () => resolve(true))
    socket.on("error", () => resolve(false)).on("close", () => resolve(false))
  }).finally(() => socket.destroy())
}

/** Asks for an hour of patience at one path, and accepts what comes to the others. */
const laterAtOne: Behaviour = (response, _count, { url }) =>
  void response.writeHead(url === "/later" ? 503 : 204, { "retry-after": "3600" }).end()

/** The columns of the database with a time that nothing since the start of these tests can have written. */
const wrongTimes = async (nodes: TwoNodes): Promise<ReadonlyArray<string>> => {
  const columns = await nodes.rows(
    `select table_name as t, column_name as c from information_schema.columns
     where table_schema = 'public' and data_type like 'timestamp%'`
  )
  const counted = columns.map((row) => {
    const [table, column] = [textAt(row, "t"), textAt(row, "c")]
    return `select '${table}.${column}' as name, count(*)::int as n from "${table}"
      where "${column}" not between now() - interval '30 minutes' and now() + interval '2 days'`
  })
  const found = await nodes.rows(`select name from (${counted.join(" union all ")}) as x where n > 0`)
  return found.map((row) => textAt(row, "name"))
}

const allCompleted = Array.from({ length: 8 }, () => "completed")

/**
 * Asks the model about eight documents at both nodes, and awaits the end of each at the other node. Lets the model answer with
 * `ended`; `waiting` has a status or the message of an error for each.
 */
const askAndAwaitElsewhere = async (nodes: TwoNodes, tenant: Tenant, what: string) => {
  const documents = allCompleted.map((_, index) => `The debt that is ${what}, ${index}.`)
  const ended = nodes.holdModel()
  // The same request at the other node finds the execution and waits for it there.
  const ask = (at: number, index: number, rest: object) =>
    nodes.run(at, tenant, "asking", documents[index] ?? "", { idempotencyKey: `${what} ${index}`, ...rest })
  await eachOf(8, (index) => ask(index, index, {}))
  const answers = eachOf(8, (index) => ask(index + 1, index, { wait: true }))
  await nodes.askedAbout(documents)
  const waiting = answers.then((all) => all.map(({ body }) => body.status || body.error.message))
  return { ended, waiting }
}

const runs = 24
/** By chance, so many of the runs would end where they were accepted one time in a thousand. */
const expectedHere = 20

/** How many of the runs end at the node that accepted them. */
const runWhereAccepted = async (nodes: TwoNodes, tenant: Tenant): Promise<number> => {
  let here = 0
  for (let index = 0; index < runs; index++) {
    // One after the other: on a busy machine, one of several at the same time would have to wait.
    const { body } = await nodes.run(index, tenant, "note", "A note.\n", { wait: true })
    const at = await until("the end to be logged", async () =>
      [index, index + 1].find((node) => nodes.node(node).logs.includes(body.id))
    )
    if (at === index) here++
  }
  return here
}

/** Tests of what two nodes over one database share. */
export const sharedByNodes = (two: { readonly it: TwoNodes }) =>
  describe("two nodes", () => {
    it("make one execution of an idempotency key that is posted to both", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const answers = await eachOf(30, (index) =>
        two.it.run(index, tenant, "note", "A note.\n", { idempotencyKey: "posted-to-both", wait: true })
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200)
      )
      assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1)
      await assertChargedOnce(two.it.node(1), tenant, [answers[0]?.body.id ?? ""], 1)
    })

    it("answer no process that does not have their admin token", async () => {
      for (const port of two.it.clusterPorts) {
        const tokens = [adminTokenOfProcess, "another-admin-token", undefined]
        const answered = await Promise.all(tokens.map((token) => isAnswered(port, token)))
        assert.deepStrictEqual(answered, [true, false, false])
      }
    })

    it("wake a caller that waits at the node that does not run the execution", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const { ended, waiting } = await askAndAwaitElsewhere(two.it, tenant, "awaited")
      ended()
      assert.deepStrictEqual(await waiting, allCompleted)
    })

    it("wake the caller even if both nodes lose their connections for signals as the execution ends", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const { ended, waiting } = await askAndAwaitElsewhere(two.it, tenant, "heard by nobody")
      // They listen again a second later.
      const ofListeners = "from pg_stat_activity where query ilike 'listen %'"
      assert.lengthOf(await two.it.rows(`select pg_terminate_backend(pid) ${ofListeners}`), 2)
      ended()
      assert.deepStrictEqual(await waiting, allCompleted)
      for (const { logs } of two.it.nodes) assert.include(logs, "Listening for ended executions broke off")
    })

    it("run most executions where they were accepted, if they need not wait there", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      // A process that stood still has lost what it is responsible for, and takes it back in a few seconds.
      let most = 0
      for (let round = 0; round < 3 && most < expectedHere; round++)
        most = Math.max(most, await runWhereAccepted(two.it, tenant))
      assert.isAtLeast(most, expectedHere)
    })

    it("decide by the database's clock, whatever happens to that of one of them", async () => {
      const [right, wrong] = two.it.nodes
      const tenant = await right.makeOrganization()
      const scope = await Effect.runPromise(Scope.make())
      const hooks = await Effect.runPromise(Scope.provide(receiver(laterAtOne), scope))
      const post = async (index: number, path: string, idempotencyKey: string) => {
        const webhookUrl = new URL(path, hooks.url).href
        const { body, status } = await two.it.run(index, tenant, "note", "A note.\n", {
          idempotencyKey,
          webhookUrl
        })
        assert.strictEqual(status, 200, body.error.message)
        await until(
          `a webhook at ${path}`,
          async () => hooks.received.some(({ url }) => url === path) || undefined
        )
        return body.id
      }
      /** Why the process with the wrong clock is not ready; empty once it is. */
      const reason = async () => {
        const response = await fetch(`${wrong.address}/health/ready`)
        return response.ok ? "" : response.text()
      }
      try {
        const first = await post(0, "/later", "before the clock is wrong")
        for (const problem of [/is 26784\d\d seconds ahead of/u, /is 36\d\d seconds behind/u, /^$/u]) {
          if (wrong.pid !== undefined) process.kill(wrong.pid, "SIGUSR2")
          await until(`the clock to be told of: ${problem}`, async () =>
            problem.test(await reason()) ? true : undefined
          )
          // Enough of them that the process with the wrong clock runs some, and looks for webhooks that are due.
          for (const n of [1, 2, 3]) await post(1, `/${hooks.received.length}`, `${problem} ${n}`)
          assert.strictEqual(await post(1, "/later", "before the clock is wrong"), first)
        }
        const paths = hooks.received.map(({ url }) => url)
        assert.strictEqual(new Set(paths).size, paths.length, "no webhook is sent again before it is due")
        assert.deepStrictEqual(await wrongTimes(two.it), [])
      } finally {
        await Effect.runPromise(Scope.close(scope, Exit.void))
      }
    })

    it("share the rate limit", async () => {
      const tenant = await two.it.node(0).makeOrganization({ requestsPerMinute: 10 })
      const answers = await eachOf(30, (index) =>
        two.it.node(index).call("GET", "/api/v1/flows", { key: tenant.key })
      )
      const allowed = answers.filter(({ status }) => status === 200).length
      // The minute may turn once while the requests are made.
      assert.isAtLeast(allowed, 10)
      assert.isAtMost(allowed, 20)
      assert.isTrue(answers.some(({ status }) => status === 429))
    })

    it("both refuse a revoked key, although both knew it and it is used all the time", async () => {
      const { key, organizationId } = await two.it.node(0).makeOrganization()
      const statuses = () =>
        Promise.all(
          two.it.nodes.map(async (node) => (await node.call("GET", "/api/v1/flows", { key })).status)
        )
      assert.deepStrictEqual(await statuses(), [200, 200])
      const [row] = await two.it.rows(`select id from api_keys where organization_id = '${organizationId}'`)
      const revoked = await two.it.node(0).call("DELETE", `/api/admin/v1/keys/${textAt(row, "id")}`)
      assert.strictEqual(revoked.status, 200)
      // It is asked for all the time: use must not prolong what a node remembers of it.
      await until("both to refuse it", async () =>
        (await statuses()).every((status) => status === 401) ? true : undefined
      )
    })
  })
