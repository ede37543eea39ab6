import S3rver from "@20minutes/s3rver"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The credentials that the server accepts. */
export const credentials = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" }

/** What happens to a request instead of being passed on; undefined passes it on. */
export type Fault = "slow down" | "reset" | "damage" | "silent" | "drip" | undefined

/** A real S3-compatible server with the bucket `documents`, behind a proxy that can make requests fail. */
export interface S3Server {
  readonly url: string
  /** Method and path of every request, in order. */
  readonly asked: ReadonlyArray<string>
  /** Decides what happens to the next requests. */
  readonly become: (fault: (request: IncomingMessage) => Fault) => void
  readonly close: () => Promise<void>
}

const noFault = (_request: IncomingMessage): Fault => undefined
const slowDown = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Slow down</Message></Error>`

export const startS3Server = async (): Promise<S3Server> => {
  const directory = await mkdtemp(join(tmpdir(), "docflow-s3-"))
  const store = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    // It signs `/documents` where clients ask for `/documents/`.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: "documents" }]
  })
  const { port } = await store.run()
  const asked: Array<string> = []
  let faultOf = noFault

  const pass = (from: IncomingMessage, to: ServerResponse, damage: boolean) => {
    const { headers, method, url: path } = from
    const onward = request({ port, host: "127.0.0.1", method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.on("data", (chunk: Buffer) => to.write(damage ? chunk.map((byte) => byte ^ 1) : chunk))
      answer.on("end", () => to.end())
    })
    from.pipe(onward)
  }
  const proxy = createServer((from, to) => {
    asked.push(`${from.method} ${from.url}`)
    const fault = faultOf(from)
    if (fault === "reset") from.socket.destroy()
    else if (fault === "slow down") to.writeHead(503, { "content-type": "application/xml" }).end(slowDown)
    // A byte now and then, so that the connection never falls silent.
    else if (fault === "drip") {
      to.writeHead(200, { "content-length": "1000000" })
      const dripping = setInterval(() => to.write("x"), 200)
      to.on("close", () => clearInterval(dripping))
    } else if (fault !== "silent") pass(from, to, fault === "damage")
  })
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    asked,
    become: (fault) => {
      faultOf = fault
    },
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
      await store.close()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
