import { setTimeout as sleep } from "node:timers/promises"

/** Long, because it only decides how late a broken service is noticed: a busy machine must fail no test. */
const longest = 100_000
/** The first pause, and the part of the time waited so far that the next one takes: asking often would keep the asked one busy. */
const [first, part, most] = [20, 0.1, 500]

/** Asks again and again until there is an answer; fails the test when there is none for so long. */
export const until = async <A>(what: string, ask: () => Promise<A | undefined>): Promise<A> => {
  const start = Date.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    const waited = Date.now() - start
    if (waited > longest) throw new Error(`waited ${longest} ms for ${what}`)
    await sleep(Math.min(most, first + part * waited))
  }
}
