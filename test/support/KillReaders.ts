import { readdirSync, readFileSync } from "node:fs"
import { programOf } from "../../src/document/process/ReaderProcess.ts"

/** Ends the readers of this process as the kernel does when the machine is out of memory. */
export const killReaders = (): void => {
  for (const task of readdirSync("/proc/self/task")) {
    const children = readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ")
    for (const child of children.filter((pid) => pid !== "")) {
      const program = programOf(Number(child))
      try {
        if (readFileSync(`/proc/${program}/cmdline`, "utf8").includes("process/Child"))
          process.kill(program, "SIGKILL")
      } catch {
        // It has ended.
      }
    }
  }
}
