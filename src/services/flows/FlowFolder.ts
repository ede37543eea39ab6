import {
  Duration,
  Effect,
  FiberHandle,
  FileSystem,
  Layer,
  Queue,
  Ref,
  Schedule,
  Schema,
  Stream
} from "effect"
import type { Problem } from "../../../dsl/source/Problem.ts"
import { renderProblem } from "../../../dsl/source/RenderProblem.ts"
import { Settings } from "../../config/Config.ts"
import { Flows } from "./Flows.ts"
import { findFlowFiles, type FlowFile, type FoundFile, readFound } from "./FlowFiles.ts"

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

const fingerprintOf = (found: ReadonlyArray<FoundFile>): string =>
  found.map(({ entry, mark }) => `${entry} ${mark}`).join("\n")

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

    const report = Effect.fnUntraced(function* (
      found: ReadonlyArray<Problem>,
      files: ReadonlyArray<FlowFile>
    ) {
      const problems = found.map((problem) => rendered(problem, files))
      const before = yield* Ref.getAndSet(reported, new Set(problems))
      for (const problem of problems) {
        if (!before.has(problem)) yield* Effect.logError("A flow file has a problem", problem)
      }
    })
    const checking = yield* FiberHandle.make()

    const serve = Effect.fnUntraced(function* (found: ReadonlyArray<FoundFile>) {
      const files = yield* readFound(flowsDir, found)
      yield* report(yield* flows.serve(files), files)
      yield* FiberHandle.run(
        checking,
        Effect.flatMap(flows.checkServed, (problems) => report(problems, files))
      )
      return files.length
    })

    const unreadable = new FlowsFolderUnreadable({
      message: `DOCFLOW_FLOWS_DIR: the folder ${flowsDir} cannot be read`
    })
    const first = yield* Effect.mapError(findFlowFiles(flowsDir), () => unreadable)
    yield* serve(first)

    let served = fingerprintOf(first)
    let seen = served
    let moving = 0
    const look = Effect.gen(function* () {
      const found = yield* findFlowFiles(flowsDir)
      const now = fingerprintOf(found)
      moving = now === seen ? 0 : moving + 1
      seen = now
      if (now === served || (moving > 0 && moving < mostMoving)) return
      const count = yield* serve(found)
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
