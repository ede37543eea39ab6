import { setPriority } from "node:os"

/**
 * The priority of what reads documents, in steps of `nice`: a tenth of the processor time of what answers requests, where both want
 * all of it. Their limits of time allow for that.
 */
const background = 10

/**
 * Lets a process, this one by default, run behind those that answer requests and store data. A reader that takes its turn on all cores
 * would hold up the answers to everybody else. Some systems refuse; then it runs as before.
 */
export const runInBackground = (pid = 0): void => {
  try {
    setPriority(pid, background)
  } catch {
    // What is refused costs time, and nothing else.
  }
}

/** The same for this thread alone. Only Linux gives threads priorities of their own; elsewhere it does nothing. */
export const runThreadInBackground = (): void => {
  if (process.platform === "linux") runInBackground()
}
