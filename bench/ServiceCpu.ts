import { readdir, readFile } from "node:fs/promises"

/** Linux counts processor time in hundredths of a second. */
const ticksPerMs = 0.1

interface ProcessStat {
  readonly parent: number
  readonly ms: number
  /** Processor time of its children that have ended. */
  readonly endedMs: number
}

const statOf = async (pid: number): Promise<ProcessStat | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    // The command may contain spaces and parentheses; the fields after its last one are numbers.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const ticks = Number(fields[11]) + Number(fields[12])
    const ended = Number(fields[13]) + Number(fields[14])
    return { parent: Number(fields[1]), ms: ticks / ticksPerMs, endedMs: ended / ticksPerMs }
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

/** A process and all processes below it that still run. */
const treeOf = async (pid: number) => {
  const pids = (await readdir("/proc")).map(Number).filter((id) => id > 0)
  const stats = await Promise.all(pids.map(async (id) => ({ id, stat: await statOf(id) })))
  const known = new Map(stats.map(({ id, stat }) => [id, stat]))
  const isBelow = (id: number): boolean => {
    const parent = known.get(id)?.parent ?? 0
    return parent === pid || (parent > 1 && isBelow(parent))
  }
  return { own: known.get(pid), children: stats.filter(({ id }) => isBelow(id)) }
}

/** The processor time of a service and of its child processes. Linux only. */
export const cpuTimeOf = async (pid: number): Promise<CpuTime> => {
  const { children, own } = await treeOf(pid)
  return {
    service: own?.ms ?? 0,
    readers: children.reduce((sum, { stat }) => sum + (stat?.ms ?? 0), 0)
  }
}

/** The processor time in milliseconds of a process and of all below it, ended ones included. Linux only. */
export const cpuTimeOfAll = async (pid: number): Promise<number> => {
  const { children, own } = await treeOf(pid)
  return [own, ...children.map(({ stat }) => stat)].reduce(
    (sum, stat) => sum + (stat === undefined ? 0 : stat.ms + stat.endedMs),
    0
  )
}

/** The memory in MiB of a process (`pid`) or of one below it: shared pages are counted in parts (PSS). Linux only. */
export interface MemoryOfProcess {
  readonly pid: number
  readonly command: string
  readonly mib: number
}

/** The memory of a process and of all below it. Linux only. */
export const memoryOfAll = async (pid: number): Promise<ReadonlyArray<MemoryOfProcess>> => {
  const { children } = await treeOf(pid)
  return Promise.all(
    [pid, ...children.map(({ id }) => id)].map(async (id) => {
      const sizes = await readFile(`/proc/${id}/smaps_rollup`, "utf8").catch(() => "")
      const command = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")
      const kib = Number(/^Pss:\s+(\d+)/mu.exec(sizes)?.[1] ?? 0)
      return { pid: id, command: command.replaceAll("\0", " "), mib: kib / 1024 }
    })
  )
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
