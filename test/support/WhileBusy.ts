import { setTimeout as sleep } from "node:timers/promises"

/** As long as `until` waits: it only decides how late a broken service is noticed. */
const longest = 100_000

/**
 * Sends a request until it is answered with something else than 503 and `Retry-After`, as the contract asks of callers: a
 * machine that is busy with other things may refuse what comes too fast.
 */
export const fetchWhileBusy = async (url: string, request: RequestInit): Promise<Response> => {
  const giveUpAt = performance.now() + longest
  for (;;) {
    const response = await fetch(url, request)
    const seconds = response.headers.get("retry-after")
    if (response.status !== 503 || seconds === null || performance.now() > giveUpAt) return response
    await response.arrayBuffer()
    await sleep(Number(seconds) * 1000)
  }
}
