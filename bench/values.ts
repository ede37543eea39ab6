/**
 * How long a service computes without coming back to its event loop while bodies of 25–28 MB come in, of the kinds that
 * cost most, and how long `/health/live` takes meanwhile. The first is what counts: on a quiet machine nobody waits longer.
 */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { manyPages } from "../test/fixtures/Pdfs.ts"

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const probe = join(folder, "probe")
const service = await ServiceProcess.start(
  { DOCFLOW_DATA_DIR: join(folder, "data"), LOOP_PROBE: probe },
  { args: ["--import", fileURLToPath(new URL("LoopProbe.ts", import.meta.url)), "src/main.ts"] }
)
const { key } = await service.makeOrganization()
const page = Buffer.from(await manyPages(1))

const bodyOf = (variables: string, metadata: string, document = page.toString("base64")): Buffer =>
  Buffer.from(
    `{"input":{"document":{"base64":"${document}"},"variables":${variables}},"metadata":${metadata}}`
  )
const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")
const largest = Buffer.concat([page, Buffer.alloc(19_900_000, 0x20)]).toString("base64")
const escapedQuotes = (count: number): string => '\\"'.repeat(count)

const bodies: ReadonlyArray<readonly [string, Buffer]> = [
  ["2,000,000 members in variables", bodyOf(`{${members(2_000_000)}}`, "{}")],
  ["14,000,000 numbers in variables", bodyOf(`{"a":[${"1,".repeat(14_000_000)}1]}`, "{}")],
  ["9,000,000 empty objects in metadata", bodyOf("{}", `{"a":[${"{},".repeat(9_000_000)}1]}`)],
  ["a string of 27 MB in metadata", bodyOf("{}", `{"a":"${"a".repeat(27_000_000)}"}`)],
  ["27 MB of escapes in variables", bodyOf(`{"a":"${"\\n".repeat(13_500_000)}"}`, "{}")],
  ["27 MB of escaped quotes in variables", bodyOf(`{"a":"${escapedQuotes(13_500_000)}"}`, "{}")],
  ["27 MB of escaped quotes as a document", bodyOf("{}", "{}", escapedQuotes(13_500_000))],
  ["as many keys as are allowed", bodyOf(`{${members(10_000)}}`, "{}")],
  ["as many numbers as are allowed", bodyOf(`{"a":[${"1.25,".repeat(49_900)}1]}`, "{}")],
  ["a document of 20 MB", bodyOf("{}", "{}", largest)]
]

/** What the probe has seen since it was asked last, in milliseconds of CPU time. */
const longestTurn = async (): Promise<number> => {
  const socket = connect(probe).setEncoding("utf8")
  let text = ""
  socket.on("data", (part) => {
    text += String(part)
  })
  await once(socket, "close")
  return Number(text)
}

/** Asks for the health again and again until `isOver`; the times in milliseconds. */
const askHealth = async (isOver: () => boolean): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  while (!isOver()) {
    const startedAt = performance.now()
    await (await fetch(`${service.address}/health/live`)).text()
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return times
}

const send = async (body: Buffer): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const answer = await fetch(`${service.address}/api/v1/flows/text/run`, { method: "POST", headers, body })
  await answer.text()
  return answer.status
}

// The first run opens what all need: that is none of those to be measured.
await send(bodyOf("{}", "{}"))
await send(bodyOf("{}", "{}"))
await new Promise((resolve) => setTimeout(resolve, 5_000))
console.log(
  "                                            MB  answer  longest turn (CPU ms)  /health/live, longest (ms)"
)
for (const [name, body] of bodies) {
  await longestTurn()
  let status: number | undefined
  const sending = async () => {
    status = await send(body).catch(() => -1)
  }
  const [times] = await Promise.all([askHealth(() => status !== undefined), sending()])
  const columns = [
    (body.length / 1e6).toFixed(1).padStart(6),
    String(status).padStart(7),
    (await longestTurn()).toFixed(0).padStart(22),
    Math.max(...times)
      .toFixed(0)
      .padStart(27)
  ]
  console.log(name.padEnd(39), ...columns)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
}
await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
