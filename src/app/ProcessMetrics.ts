import { Effect, Layer, Metric, Schedule } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

const memory = Metric.gauge("process_resident_memory_bytes", {
  description: "Memory of this process, in bytes, without its child processes."
})
const cpu = Metric.gauge("process_cpu_seconds_total", {
  description: "CPU time of this process since its start, in seconds, without its child processes."
})
const delay = Metric.gauge("event_loop_delay_ms", {
  description: "The 99th percentile of the delay of the event loop in the last 5 seconds, in milliseconds."
})

/** The resolution of the event loop's delay, in milliseconds. */
const resolution = 20
const nanosecondsPerMs = 1e6
const microsecondsPerSecond = 1e6

/** Reports the memory, the CPU time and the delays of the event loop of this process every five seconds. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const delays = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    const report = Effect.gen(function* () {
      const { system, user } = process.cpuUsage()
      yield* Metric.update(memory, process.memoryUsage.rss())
      yield* Metric.update(cpu, (system + user) / microsecondsPerSecond)
      // The timer that measures is itself part of what it measures.
      yield* Metric.update(delay, Math.max(0, delays.percentile(99) / nanosecondsPerMs - resolution))
      delays.reset()
    })
    yield* report.pipe(Effect.repeat(Schedule.spaced("5 seconds")), Effect.forkScoped)
  })
)
