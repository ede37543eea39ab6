import { Effect, FileSystem, Option, Schema } from "effect"
import { isUint8Array } from "node:util/types"
import type { FlowSource } from "../../../dsl/model/FlowDefinition.ts"
import { toYaml } from "../../../dsl/tools/ToYaml.ts"
import { flowsFolder } from "../../config/Config.ts"
import { InvalidInput } from "../../domain/Errors.ts"
import { cannotRead } from "../../domain/FileProblem.ts"
import { newestFlowFile } from "../flows/FlowFiles.ts"
import { flowAdvice, localFlowFiles } from "./LocalFlows.ts"
import { LocalRuns, type RunOptions } from "./LocalRuns.ts"

/** A flow file that cannot be read; the message says why. */
export class UnreadableFlow extends Schema.TaggedError<UnreadableFlow>()("UnreadableFlow", {
  message: Schema.String
}) {}

/** Programs without types pass strings: the text of a file that was read with an encoding, or base64. */
const bytesOf = (document: unknown): Effect.Effect<Uint8Array, InvalidInput> =>
  isUint8Array(document)
    ? Effect.succeed(document)
    : new InvalidInput({
        message: `Expected the bytes of the document as a Uint8Array, such as readFile(path) returns without an encoding; got ${typeof document}`
      })

/** The flow file for a name: a file, or the newest version of the flow with that id, in the user's folder or docflow's own. */
export const flowFileOf = Effect.fnUntraced(function* (name: string) {
  const fs = yield* FileSystem.FileSystem
  if (/\.[a-z]+$/u.test(name)) return name
  const flowsDir = yield* Effect.orDie(flowsFolder)
  const found = yield* Effect.orElseSucceed(newestFlowFile(flowsDir, name), () => Option.none())
  const isThere = Option.isSome(found) && (yield* Effect.orElseSucceed(fs.exists(found.value), () => false))
  if (Option.isSome(found) && isThere) return found.value
  const files = yield* localFlowFiles
  const advice = flowAdvice(
    name,
    files.map(({ id }) => id)
  )
  return yield* new UnreadableFlow({
    message: `Unknown flow "${name}" in ${flowsDir}. ${advice} Or give the path of a .yaml file`
  })
})

/**
 * Runs a flow on the bytes of a document: the flow of a file, the newest version of an id, or a
 * flow that was built in TypeScript.
 */
export const runFlowFile = Effect.fnUntraced(function* (
  flowOrName: string | FlowSource,
  document: unknown,
  options?: RunOptions
) {
  const fs = yield* FileSystem.FileSystem
  const runs = yield* LocalRuns
  const bytes = yield* bytesOf(document)
  if (typeof flowOrName !== "string")
    return yield* runs.run(yield* runs.compile(toYaml(flowOrName), `${flowOrName.id}.yaml`), bytes, options)
  const flowFile = yield* flowFileOf(flowOrName)
  const text = yield* Effect.mapError(
    fs.readFileString(flowFile),
    (error) => new UnreadableFlow({ message: cannotRead(flowFile, error) })
  )
  return yield* runs.run(yield* runs.compile(text, flowFile), bytes, options)
})
