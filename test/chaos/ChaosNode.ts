import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { ServiceProcess } from "../durability/ServiceProcess.ts"

/** A node of the cluster: always the same ports, one process after the other. */
export class ChaosNode {
  #service: Promise<ServiceProcess>
  /** A process is being replaced or is frozen: another blow would hit the wrong one. */
  #busy = false
  readonly #settings: Record<string, string>
  /** How long each process took to end after SIGTERM, in seconds. */
  readonly stops: Array<number> = []

  constructor(settings: Record<string, string>) {
    this.#settings = settings
    this.#service = this.#start()
  }

  /** Starts a process; tries again while the database restarts. */
  async #start(): Promise<ServiceProcess> {
    for (;;) {
      try {
        return await ServiceProcess.start(this.#settings)
      } catch (error) {
        if (!/57P0|08006|53300|ECONNREFUSED|Connection|connect/iu.test(String(error))) throw error
        await sleep(500)
      }
    }
  }

  get port(): string | undefined {
    return this.#settings["DOCFLOW_PORT"]
  }
  /** Like `http://127.0.0.1:40123`. */
  get address(): string {
    return `http://127.0.0.1:${this.port}`
  }
  /** The process that runs now, or the next one as soon as it is ready. */
  get running(): Promise<ServiceProcess> {
    return this.#service
  }

  /** Whether a process is being replaced or frozen. */
  get isBusy(): boolean {
    return this.#busy
  }

  async #exclusively(blow: () => Promise<void>): Promise<boolean> {
    if (this.#busy) return false
    this.#busy = true
    try {
      await blow()
    } finally {
      this.#busy = false
    }
    return true
  }

  /** Ends the process with a signal and starts the next one; false where the node is under another blow. */
  replace(signal: NodeJS.Signals): Promise<boolean> {
    return this.#exclusively(async () => {
      const service = await this.#service
      const from = performance.now()
      await service.end(signal)
      if (signal === "SIGTERM") this.stops.push(Math.round((performance.now() - from) / 100) / 10)
      this.#service = this.#start()
      await this.#service
    })
  }

  /** Stops the process for some seconds, as a paused machine does. */
  freeze(seconds: number): Promise<boolean> {
    return this.#exclusively(async () => {
      const { pid } = await this.#service
      if (pid === undefined) return
      process.kill(pid, "SIGSTOP")
      await sleep(seconds * 1000)
      process.kill(pid, "SIGCONT")
    })
  }

  /** Whether the process is stopped by a signal. */
  async isFrozen(): Promise<boolean> {
    const { pid } = await this.#service
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
    return stat.includes(") T ")
  }

  async stop(): Promise<void> {
    await (await this.#service).end("SIGKILL")
  }
}
