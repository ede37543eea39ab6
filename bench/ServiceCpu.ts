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
  /** All child processes of the service that still run: the readers. */
  readonly readers: number
}

/** The processor time of a service and of its child processes. Linux only. */
export const cpuTimeOf = async (pid: number): Promise<CpuTime> => {
  const pids = (await readdir("/proc")).map(Number).filter((id) => id > 0)
  const stats = await Promise.all(pids.map(async (id) => ({ id, stat: await statOf(id) })))
  const children = stats.filter(({ stat }) => stat?.parent === pid)
  return {
    service: stats.find(({ id }) => id === pid)?.stat?.ms ?? 0,
    readers: children.reduce((sum, { stat }) => sum + (stat?.ms ?? 0), 0)
  }
}
