import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePorts } from "../durability/Postgres.ts"
import { until } from "./Until.ts"

/** Whether nginx is installed. */
export const hasNginx = spawnSync("nginx", ["-v"]).status === 0

/** A running nginx; `log` is how often it complained about what. */
export interface Nginx {
  readonly address: string
  readonly log: () => Promise<ReadonlyArray<string>>
  readonly stop: () => Promise<void>
}

/** Starts nginx with `deploy/nginx.conf` in front of services on these ports of this machine; only its own addresses and files differ. */
export const startNginx = async (ports: ReadonlyArray<string | undefined>): Promise<Nginx> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-nginx-"))
  const [port] = await freePorts(1)
  const example = await readFile("deploy/nginx.conf", "utf8")
  const [, , options = ""] = /server (127\.0\.0\.1:\d+)(.*;)/u.exec(example) ?? []
  const servers = ports.map((one) => `server 127.0.0.1:${one}${options}`).join("\n")
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(" ")
  const config = example
    .replaceAll(/server 127\.0\.0\.1:\d+.*;\n\s*(?=server)/gu, "")
    .replace(/server 127\.0\.0\.1:\d+.*;/u, servers)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/ssl_certificate.*;/gu, "")
    .replace("http {", `http { access_log off; ${temporary}`)
  const asUser = process.getuid?.() === 0 ? "user root;" : ""
  const log = join(folder, "error.log")
  const file = join(folder, "nginx.conf")
  await writeFile(file, `daemon off; ${asUser} pid ${join(folder, "pid")}; error_log ${log};\n${config}`)
  const child = spawn("nginx", ["-c", file, "-e", log], { stdio: "inherit" })
  const address = `http://127.0.0.1:${port}`
  await until("nginx to listen", () =>
    fetch(address).then(
      () => true,
      () => undefined
    )
  )
  return {
    address,
    log: async () => {
      const kinds = (await readFile(log, "utf8")).matchAll(/(?<=\*\d+ ).*?(?=, client)/gu)
      const counts = Map.groupBy(kinds, ([kind]) => kind)
      return [...counts].map(([kind, lines]) => `nginx: ${lines.length} × ${kind}`)
    },
    stop: async () => {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
      await rm(folder, { recursive: true, force: true })
    }
  }
}
