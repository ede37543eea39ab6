import { Duration, Effect, FileSystem, Layer, Queue, Ref, Schedule, Schema, Stream } from "effect"
import type { Problem } from "../../../dsl/source/Problem.ts"
import { renderProblem } from "../../../dsl/source/RenderProblem.ts"
import { Settings } from "../../config/Config.ts"
import { Flows } from "./Flows.ts"
import { fingerprintOf, type FlowFile, readFlowFiles } from "./FlowFiles.ts"

/** The flows folder does not exist, or cannot be read. */
export class FlowsFolderUnreadable extends Schema.TaggedError<FlowsFolderUnreadable>()(
  "FlowsFolderUnreadable",
  { message: Schema.String }
) {}

/** The shortest time between two looks: a change is served once two of them agree, but not while files are being written. */
const lookInterval = Duration.millis(400)
/** Without an event, the folder is looked at for a hundredth of the time, but every half minute on a busy machine, too. */
const restFactor = 100
const longestRest = Duration.seconds(30)

/** The maximum number of polls to wait if files are written without a pause. */
const mostMoving = 4

const rendered = (problem: Problem, files: ReadonlyArray<FlowFile>): string =>
  renderProblem(problem, files.find(({ file }) => file === problem.file)?.text ?? "")

/**
 * Serves the flows of the configured folder, and reloads them when they change. A flow with problems is reported and
 * does not affect the others. Events of the file system tell when to look; because there are none on network drives and in
 * some containers, docflow also looks from time to time.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { flowsDir } = yield* Settings
    const flows = yield* Flows
    const fs = yield* FileSystem.FileSystem
    const reported = yield* Ref.make<ReadonlySet<string>>(new Set())

    const serve = Effect.gen(function* () {
      const files = yield* readFlowFiles(flowsDir)
      const problems = (yield* flows.serve(files)).map((problem) => rendered(problem, files))
      const before = yield* Ref.getAndSet(reported, new Set(problems))
      for (const problem of problems) {
        if (!before.has(problem)) yield* Effect.logError("A flow file has a problem", problem)
      }
      return files.length
    })

    const unreadable = new FlowsFolderUnreadable({
      message: `DOCFLOW_FLOWS_DIR: the folder ${flowsDir} cannot be read`
    })
    const first = yield* Effect.mapError(fingerprintOf(flowsDir), () => unreadable)
    yield* serve.pipe(Effect.catchTag("PlatformError", () => unreadable))

    let served = first
    let seen = first
    let moving = 0
    const look = Effect.gen(function* () {
      const now = yield* fingerprintOf(flowsDir)
      moving = now === seen ? 0 : moving + 1
      seen = now
      if (now === served || (moving > 0 && moving < mostMoving)) return
      const count = yield* serve
      served = now
      yield* Effect.logInfo(`The flows were read again: ${count} files`)
    })
    const changed = yield* Queue.sliding<void>(1)
    yield* fs.watch(flowsDir, { recursive: true }).pipe(
      Stream.runForEach(() => Queue.offer(changed, undefined)),
      // A link that leads in a circle ends the events.
      Effect.retry(Schedule.spaced(longestRest)),
      Effect.forkScoped
    )
    const untilNext = (took: Duration.Duration) =>
      moving > 0
        ? Effect.sleep(lookInterval)
        : Effect.race(
            // Where something is written all the time, looking takes half of the time at most.
            Effect.andThen(Queue.take(changed), Effect.sleep(took)),
            Effect.sleep(
              Duration.clamp(Duration.times(took, restFactor), {
                minimum: lookInterval,
                maximum: longestRest
              })
            )
          )
    yield* look.pipe(
      Effect.catch((error) => Effect.logWarning("The flows could not be read again", error.message)),
      Effect.catchDefect((defect) => Effect.logError("The flows could not be read again", defect)),
      Effect.timed,
      Effect.flatMap(([took]) => untilNext(took)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
