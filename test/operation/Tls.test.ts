import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { request as plainRequest } from "node:http"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServiceProcess } from "../durability/ServiceProcess.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"
import { type TestService, useOwnService } from "../support/TestService.ts"

// Made for these tests and used nowhere else.
const certificate = "test/operation/tls/certificate.pem"
const key = "test/operation/tls/key.pem"

describe("HTTPS", () => {
  let folder = ""
  const started: Array<ServiceProcess> = []
  const start = async (settings: Record<string, string>) => {
    const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: join(folder, "data"), ...settings })
    started.push(service)
    return service
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-tls-"))
    await placeEmptyStore(join(folder, "data/database"))
  })
  afterAll(async () => {
    await Promise.all(started.map((service) => service.end("SIGKILL")))
    await rm(folder, { recursive: true, force: true })
  })

  it("serves HTTPS with HSTS by a certificate and key from files, and names an address that a browser opens", async () => {
    const service = await start({
      DOCFLOW_TLS_CERT: certificate,
      DOCFLOW_TLS_KEY: key,
      DOCFLOW_HOST: "0.0.0.0"
    })
    assert.match(service.address, /^https:\/\/127\.0\.0\.1:/u)
    const ca = await readFile(certificate)
    const answer = await new Promise<{ status: number | undefined; hsts: string | undefined }>(
      (resolve, reject) => {
        request(`${service.address}/health/live`, { ca }, (response) => {
          response.resume()
          resolve({ status: response.statusCode, hsts: response.headers["strict-transport-security"] })
        })
          .on("error", reject)
          .end()
      }
    )
    assert.strictEqual(answer.status, 200)
    assert.match(answer.hsts ?? "", /max-age=\d+/u)
    await service.end("SIGTERM")
  })
})

/** What is left of the requests of a caller without a key, as the headers say: asked from an address of this machine. */
const limitFor = ({ address }: TestService, from: string, forwardedFor: string): Promise<number> =>
  new Promise((resolve, reject) => {
    plainRequest(
      `${address}/api/v1/flows`,
      { localAddress: from, headers: { "x-forwarded-for": forwardedFor } },
      (response) => {
        response.resume()
        resolve(Number(response.headers["x-ratelimit-remaining"]))
      }
    )
      .on("error", reject)
      .end()
  })

describe("behind a proxy", () => {
  const service = useOwnService({ DOCFLOW_TRUSTED_PROXIES: "127.7.0.0/16" })
  const [trusted, stranger] = ["127.7.0.1", "127.8.0.1"]

  it("that is trusted, callers without a key are counted by the address that it names", async () => {
    const first = await limitFor(service.it, trusted, "203.0.113.7")
    assert.strictEqual(await limitFor(service.it, trusted, "203.0.113.8"), first)
    assert.strictEqual(await limitFor(service.it, trusted, "203.0.113.7"), first - 1)
  })

  it("that is not trusted, X-Forwarded-For is not believed", async () => {
    const first = await limitFor(service.it, stranger, "203.0.113.7")
    assert.strictEqual(await limitFor(service.it, stranger, "203.0.113.8"), first - 1)
  })
})
