import { Logger, run as runGraphileWorker } from "graphile-worker"
import { PgBoss } from "pg-boss"

/** Something that does chains of three trivial steps, with a result stored for each step. */
export interface Chains {
  /** Starts a chain; resolves when its last step has ended. */
  readonly one: () => Promise<void>
  readonly stop: () => Promise<unknown>
}

const concurrency = 16

/** Waits for chains by their number. */
class Waiting {
  readonly #resolve = new Map<number, () => void>()
  #last = 0

  begin(start: (chain: number) => Promise<unknown>): Promise<void> {
    const chain = ++this.#last
    return new Promise((resolve, reject) => {
      this.#resolve.set(chain, resolve)
      start(chain).catch(reject)
    })
  }

  end(chain: number): void {
    this.#resolve.get(chain)?.()
    this.#resolve.delete(chain)
  }
}

interface ChainJob {
  readonly chain: number
  readonly step: number
}

const isJob = (payload: unknown): payload is ChainJob =>
  typeof payload === "object" && payload !== null && "chain" in payload && "step" in payload

/** graphile-worker: each job stores its result in a table and adds the next. */
export const graphileChains = async (connectionString: string): Promise<Chains> => {
  const waiting = new Waiting()
  const runner = await runGraphileWorker({
    connectionString,
    concurrency,
    maxPoolSize: concurrency + 4,
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    taskList: {
      step: async (payload, { addJob, query }) => {
        if (!isJob(payload)) return
        const { chain, step } = payload
        await query("insert into bench_results values ($1, $2, $3)", [chain, step, { value: step }])
        if (step < 3) await addJob("step", { chain, step: step + 1 })
        else waiting.end(chain)
      }
    }
  })
  return {
    one: () => waiting.begin((chain) => runner.addJob("step", { chain, step: 1 })),
    stop: () => runner.stop()
  }
}

/** pg-boss: each job's result is kept as its output; the queue notifies its workers. */
export const bossChains = async (connectionString: string): Promise<Chains> => {
  const waiting = new Waiting()
  const boss = new PgBoss({ connectionString, useListenNotify: true, max: concurrency + 4 })
  boss.on("error", (error) => console.error(error))
  await boss.start()
  await boss.createQueue("step", { notify: true })
  await boss.work<ChainJob>(
    "step",
    {
      batchSize: 1,
      localConcurrency: concurrency,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5
    },
    async ([job]) => {
      if (job === undefined) return
      const { chain, step } = job.data
      if (step < 3) await boss.send("step", { chain, step: step + 1 })
      else waiting.end(chain)
      return { value: step }
    }
  )
  return {
    one: () => waiting.begin((chain) => boss.send("step", { chain, step: 1 })),
    stop: () => boss.stop({ graceful: false })
  }
}
