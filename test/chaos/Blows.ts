import { setTimeout as sleep } from "node:timers/promises"
import { lockTables } from "../durability/Rows.ts"
import type { ChaosDatabase } from "./ChaosDatabase.ts"
import type { ChaosNode } from "./ChaosNode.ts"

/** Which blows fall, and how many seconds pass between two of a kind on average; what is omitted does not happen. */
export interface BlowOptions {
  /** SIGKILL to a random process. */
  readonly kill?: number
  /** The database restarts without a checkpoint. */
  readonly restart?: number
  /** SIGSTOP to a random process for so many seconds, again and again: longer than its locks live (8). */
  readonly freeze?: number
  /** SIGTERM to one process after the other. */
  readonly roll?: number
  /** The clock of a random process becomes another one: 31 days ahead, an hour behind, or right again. */
  readonly shift?: number
  /** A table that everything needs is locked for so many seconds, once. */
  readonly lock?: number
  /** The connections to the database pass nothing on for 20 seconds, by turns new ones neither. */
  readonly silence?: number
  /** The database's standby takes its place. */
  readonly switchover?: number
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How many blows of each kind have fallen: the kind of `BlowOptions`. */
export type Done = Record<string, number>

/** Seconds for which connections are silent. */
const silentFor = 20

/** Lets blows fall until `isOver`, and counts them in `done`. */
export const blows = async (
  nodes: ReadonlyArray<ChaosNode>,
  database: ChaosDatabase,
  { freeze, kill, lock, restart, roll, shift, silence, switchover }: BlowOptions,
  seed: number,
  done: Done,
  isOver: () => boolean
): Promise<void> => {
  const random = randomFrom(seed)
  const count = (kind: keyof BlowOptions) => {
    done[kind] = (done[kind] ?? 0) + 1
  }
  const pick = () => {
    const free = nodes.filter((node) => !node.isBusy)
    return free[Math.floor(random() * free.length)]
  }
  const every = async (seconds: number | undefined, blow: () => Promise<void>) => {
    if (seconds === undefined) return
    for (;;) {
      await sleep(seconds * 1000 * (0.5 + random()))
      if (isOver()) return
      await blow()
    }
  }
  const starting: Array<Promise<boolean>> = []
  await Promise.all([
    // A start takes seconds: the next process is killed before the last one has been replaced. One is left, or a machine
    // on which starts take longer than a kill is away would never get anything done.
    every(kill, async () => {
      const node = pick()
      if (node === undefined || nodes.filter(({ isBusy }) => !isBusy).length < 2) return
      count("kill")
      starting.push(node.replace("SIGKILL"))
    }),
    every(restart, async () => {
      await database.restart()
      count("restart")
    }),
    every(freeze === undefined ? undefined : 5, async () => {
      if (await pick()?.freeze(freeze ?? 0)) count("freeze")
    }),
    every(shift, async () => {
      const pid = (await pick()?.running)?.pid
      if (pid === undefined) return
      process.kill(pid, "SIGUSR2")
      count("shift")
    }),
    lock === undefined
      ? undefined
      : (async () => {
          await sleep(lock * 500)
          const unlock = await lockTables(database.direct(), "executions", "access exclusive")
          await sleep(lock * 1000)
          count("lock")
          // The database may have restarted meanwhile, which unlocked it.
          await unlock().catch(() => undefined)
        })(),
    every(silence, async () => {
      await database.silence(silentFor, (done["silence"] ?? 0) % 2 === 1)
      count("silence")
    }),
    every(switchover, async () => {
      await database.switchOver()
      count("switchover")
    }),
    every(roll, async () => {
      for (const node of nodes) if (await node.replace("SIGTERM")) count("roll")
    })
  ])
  await Promise.all(starting)
}
