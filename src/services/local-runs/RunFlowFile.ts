import { Effect, FileSystem, Schema } from "effect"
import { isUint8Array } from "node:util/types"
import { cannotRead } from "../../domain/FileProblem.ts"
import { textBeside, withCalibration } from "../calibration/LoadCalibration.ts"
import { LocalRuns, type RunOptions, RunRefused } from "./LocalRuns.ts"

/** A flow file that cannot be read; the message says why. */
export class UnreadableFlow extends Schema.TaggedError<UnreadableFlow>()("UnreadableFlow", {
  message: Schema.String
}) {}

/** Programs without types pass strings: the text of a file that was read with an encoding, or base64. */
const bytesOf = (document: unknown): Effect.Effect<Uint8Array, RunRefused> =>
  isUint8Array(document)
    ? Effect.succeed(document)
    : new RunRefused({
        code: "INVALID_INPUT",
        message: `Expected the bytes of the document as a Uint8Array, such as readFile(path) returns without an encoding; got ${typeof document}`
      })

/** Runs the flow of a file, with the calibration next to it, on the bytes of a document. */
export const runFlowFile = Effect.fnUntraced(function* (
  flowFile: string,
  document: unknown,
  options?: RunOptions
) {
  const fs = yield* FileSystem.FileSystem
  const runs = yield* LocalRuns
  const bytes = yield* bytesOf(document)
  const text = yield* Effect.mapError(
    fs.readFileString(flowFile),
    (error) => new UnreadableFlow({ message: cannotRead(flowFile, error) })
  )
  const compiled = yield* runs.compile(text, flowFile)
  const { flow, problem } = withCalibration(compiled, yield* textBeside(flowFile))
  if (problem !== undefined) yield* Effect.logWarning(problem.message, problem.file)
  return yield* runs.run(flow, bytes, options)
})
