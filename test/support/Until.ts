import { setTimeout as sleep } from "node:timers/promises"

/** Long, because it only decides how late a broken service is noticed: a busy machine must fail no test. */
const longest = 100_000
const interval = 20

/** Asks again and again until there is an answer; fails the test when there is none for so long. */
export const until = async <A>(what: string, ask: () => Promise<A | undefined>): Promise<A> => {
  const giveUpAt = Date.now() + longest
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > giveUpAt) throw new Error(`waited ${longest} ms for ${what}`)
    await sleep(interval)
  }
}
