import { WaitTimeout } from "./ClientFailures.ts"
import { type Execution, hasEnded } from "./ClientTypes.ts"
import { elapsed, randomShare, sleep } from "./Waiting.ts"

const steadyFor = 30_000
const longestInterval = 30_000
const growth = 1.5

/**
 * Polls an execution until it has ended: every two to three seconds at first, and less and less often after half a
 * minute, down to every half minute.
 */
export const awaitEnd = async <E extends Pick<Execution, "status">>(
  executionId: string,
  get: () => Promise<E>,
  longestMs: number,
  signal?: AbortSignal
): Promise<E> => {
  const startedAt = elapsed()
  let interval = 2_000 + 1_000 * (await randomShare())
  for (;;) {
    const execution = await get()
    if (hasEnded(execution)) return execution
    const waited = elapsed() - startedAt
    if (waited >= longestMs) throw new WaitTimeout(executionId, longestMs)
    if (waited >= steadyFor) interval = Math.min(Math.round(interval * growth), longestInterval)
    await sleep(Math.min(interval, longestMs - waited), signal)
  }
}
