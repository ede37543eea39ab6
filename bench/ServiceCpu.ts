import { readdir, readFile } from "node:fs/promises"

/** Linux counts processor time in hundredths of a second. */
const ticksPerMs = 0.1

const statOf = async (pid: number): Promise<{ readonly parent: number; readonly ms: number } | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    // The command may contain spaces and parentheses; the fields after its last one are numbers.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const ticks = Number(fields[11]) + Number(fields[12])
    return { parent: Number(fields[1]), ms: ticks / ticksPerMs }
  } catch {
    return undefined
  }
}

/** Processor time in milliseconds, user and system, since the processes started. */
export interface CpuTime {
  readonly service: number
  /** All processes below the service that still run: the readers, each in its sandbox. */
  readonly readers: number
}

/** The processor time of a service and of its child processes. Linux only. */
export const cpuTimeOf = async (pid: number): Promise<CpuTime> => {
  const pids = (await readdir("/proc")).map(Number).filter((id) => id > 0)
  const stats = await Promise.all(pids.map(async (id) => ({ id, stat: await statOf(id) })))
  const known = new Map(stats.map(({ id, stat }) => [id, stat]))
  const isBelow = (id: number): boolean => {
    const parent = known.get(id)?.parent ?? 0
    return parent === pid || (parent > 1 && isBelow(parent))
  }
  const children = stats.filter(({ id }) => isBelow(id))
  return {
    service: stats.find(({ id }) => id === pid)?.stat?.ms ?? 0,
    readers: children.reduce((sum, { stat }) => sum + (stat?.ms ?? 0), 0)
  }
}

/** The processor time of a PostgreSQL server and its processes, in milliseconds. Linux only. */
export const cpuTimeOfPostgres = async (url: string): Promise<number> => {
  const { port } = new URL(url)
  const pids = (await readdir("/proc")).map(Number).filter((id) => id > 0)
  const lines = await Promise.all(
    pids.map(async (id) => ({ id, line: await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "") }))
  )
  const server = lines.find(({ line }) => {
    const words = line.split("\0")
    return words[0]?.endsWith("/postgres") === true && words.includes(port)
  })
  if (server === undefined) throw new Error(`no PostgreSQL is started with port ${port}`)
  const { readers, service } = await cpuTimeOf(server.id)
  return service + readers
}
