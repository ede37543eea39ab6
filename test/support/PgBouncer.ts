import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "./Until.ts"

/** Whether PgBouncer is installed. */
export const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0

const canConnect = (port: number) =>
  new Promise<true | undefined>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(undefined))
  })

/** How PgBouncer pools sessions, and where it listens. */
interface PgBouncerOptions {
  readonly mode: "session" | "transaction" | "statement"
  readonly port: number
  /** Connections to the server. */
  readonly size: number
}

/** Starts PgBouncer in front of the server of a URL; resolves with what stops it. */
export const startPgBouncer = async (server: URL, { mode, port, size }: PgBouncerOptions) => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-pgbouncer-"))
  await chmod(folder, 0o755)
  const { password, port: serverPort, username } = server
  await writeFile(join(folder, "users.txt"), `"${username}" "${password}"\n`)
  const settings = [
    "[databases]",
    `docflow = host=127.0.0.1 port=${serverPort} user=${username} password=${password}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = plain\nauth_file = ${join(folder, "users.txt")}`,
    `pool_mode = ${mode}\ndefault_pool_size = ${size}`
  ]
  await writeFile(join(folder, "pgbouncer.ini"), settings.join("\n"))
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ["--user", "nobody"] : []
  const child = spawn("pgbouncer", [...asUser, join(folder, "pgbouncer.ini")], { stdio: "ignore" })
  await until("PgBouncer to listen", () => canConnect(port))
  return async (): Promise<void> => {
    child.kill("SIGKILL")
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    await rm(folder, { recursive: true })
  }
}
