import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { credentials, type S3Server, startS3Server } from "../support/S3Server.ts"
import { until } from "../support/Until.ts"
import { freePorts } from "./Postgres.ts"
import { type Answer, ServiceProcess, type Tenant } from "./ServiceProcess.ts"
import { mutated, type TwoNodes } from "./TwoNodes.ts"

/** A process is taken for unreachable when it is silent and has renewed its row since: soon, instead of every 15 seconds. */
const renewingSoon = mutated("app/Peers.ts", "15 seconds", "1 second")

/** Tests two processes over a database and a store of documents of their own: one only answers requests, the other only runs executions. */
export const rolesOfNodes = (two: { readonly it: TwoNodes }) =>
  describe("processes with roles", () => {
    const started: Array<ServiceProcess> = []
    let settings: Record<string, string> = {}
    let api: ServiceProcess
    let store: S3Server
    let tenant: Tenant

    const start = async (more: Record<string, string>): Promise<ServiceProcess> => {
      const node = await ServiceProcess.start({ ...settings, ...more })
      started.push(node)
      return node
    }
    const post = (wait: boolean): Promise<Answer> =>
      api.call("POST", "/api/v1/flows/note/run", {
        key: tenant.key,
        body: { wait, input: { document: { base64: Buffer.from("A note").toString("base64") } } }
      })
    const get = (id: string) => api.call("GET", `/api/v1/runs/${id}`, { key: tenant.key })

    beforeAll(async () => {
      await two.it.rows("create database roles")
      store = await startS3Server()
      const database = new URL(two.it.database)
      database.pathname = "/roles"
      settings = {
        DATABASE_URL: database.href,
        DOCFLOW_DATA_DIR: join(two.it.data, "../roles"),
        DOCFLOW_FLOWS_DIR: join(two.it.data, "../flows"),
        DOCFLOW_READERS: "1",
        DOCFLOW_BLOBS: "s3",
        DOCFLOW_S3_BUCKET: "documents",
        DOCFLOW_S3_ENDPOINT: store.url,
        ...credentials
      }
      api = await start({ DOCFLOW_ROLE: "api" })
      tenant = await api.makeOrganization()
    })
    afterAll(async () => {
      await Promise.all(started.map((node) => node.end("SIGKILL")))
      await store.close()
    })

    it("accept executions without running them, until a process runs them and serves nothing else", async () => {
      const early = await post(false)
      assert.deepStrictEqual([early.status, early.body.status], [200, "pending"])
      const [port = 0] = await freePorts(1)
      const runner = await start({
        ...renewingSoon,
        DOCFLOW_ROLE: "runner",
        DOCFLOW_CLUSTER_HOST: "127.0.0.1",
        DOCFLOW_CLUSTER_PORT: String(port)
      })
      await until("the early execution to be found", async () =>
        (await get(early.body.id)).body.status === "completed" ? true : undefined
      )
      const waited = await post(true)
      assert.deepStrictEqual([waited.status, waited.body.status], [200, "completed"])
      assert.include(runner.logs, early.body.id)
      // The document got from one to the other.
      assert.isTrue(
        store.asked.some((line) => line.startsWith("GET /documents/") && !line.includes("list-type"))
      )
      assert.notInclude(api.logs, "execution ended")

      const refused = await runner.call("GET", "/api/v1/flows", { key: tenant.key })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [404, "INVALID_INPUT"])
      assert.include(refused.body.error.message, "DOCFLOW_ROLE=runner")
      assert.strictEqual((await fetch(`${runner.address}/health/ready`)).status, 200)
      const posted = await fetch(`${runner.address}/health/live`, { method: "POST" })
      assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET"])
    })

    it("are compared: one that differs is named in the log and in doctor, and is not ready while it reaches no other", async () => {
      const [port = 0] = await freePorts(1)
      const other = await start({
        ...renewingSoon,
        DOCFLOW_ADMIN_TOKEN: "another-token-of-the-tests",
        DOCFLOW_KEY_PREFIX: "other",
        DOCFLOW_CLUSTER_HOST: "127.0.0.1",
        DOCFLOW_CLUSTER_PORT: String(port)
      })
      await until("the process not to be ready", async () => {
        const answer = await fetch(`${other.address}/health/ready`)
        const said = await answer.text()
        return answer.status === 503 && /no other process can be reached: 127\.0\.0\.1:\d+/u.test(said)
          ? said
          : undefined
      })
      for (const said of ["another admin token", "another key prefix", "cannot be reached at 127.0.0.1:"])
        await until(`the log to say ${said}`, async () => (other.logs.includes(said) ? true : undefined))
      assert.notInclude(other.logs, "another store of documents")
      const { stdout } = await promisify(execFile)(process.execPath, ["src/cli/Main.ts", "doctor"], {
        env: { ...process.env, ...settings }
      })
      assert.match(stdout, /^Process .*has another admin token\. Set DOCFLOW_ADMIN_TOKEN/mu)
    })

    it("are refused with a folder of documents that the others do not have", async () => {
      const own = { ...settings, DATABASE_URL: two.it.database, DOCFLOW_BLOBS: "folder" }
      const refused = await ServiceProcess.start(own).then(
        () => "started",
        (error: unknown) => String(error)
      )
      assert.include(refused, "stores the documents of this database in another folder")
    })
  })
