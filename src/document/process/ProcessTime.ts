import { readFileSync } from "node:fs"

/** Clock ticks a second of `/proc/<pid>/stat` (`getconf CLK_TCK`), on every system on which Node.js runs. */
const ticksPerSecond = 100

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** The program inside a sandbox: the last descendant of the wrapping process, or the process itself. */
export const programOf = (pid: number): number => {
  const [child] = (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ")
  return child === undefined || child === "" ? pid : programOf(Number(child))
}

/** Milliseconds of CPU that a process has used, all threads together; undefined if the system does not say (proc(5)). */
export const cpuTimeOf = (pid: number): number | undefined => {
  const stat = read(`/proc/${pid}/stat`)
  // The name of the program may contain spaces and brackets, so fields are counted from its end.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (fields === undefined) return undefined
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
}
