import { Console, Effect, FileSystem, Option } from "effect"
import { renderProblem } from "../../dsl/source/RenderProblem.ts"
import { textBeside, withCalibration } from "../services/calibration/LoadCalibration.ts"
import { flowsFolder } from "../config/Config.ts"
import { newestFlowFile } from "../services/flows/FlowFiles.ts"
import { flowAdvice, localFlowFiles } from "../services/local-runs/LocalFlows.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import { fail } from "./CommandFailed.ts"
import { missingFile } from "./MissingFile.ts"

/** The flow file for an argument: a file, or the newest version of the flow with that id. */
export const flowFileOf = Effect.fnUntraced(function* (name: string) {
  const fs = yield* FileSystem.FileSystem
  if (/\.ya?ml$/u.test(name)) return name
  const flowsDir = yield* flowsFolder
  const found = yield* Effect.orElseSucceed(newestFlowFile(flowsDir, name), () => Option.none())
  if (Option.isSome(found) && (yield* fs.exists(found.value))) return found.value
  const files = yield* localFlowFiles
  const advice = flowAdvice(
    name,
    files.map(({ id }) => id)
  )
  return yield* fail(`Unknown flow "${name}" in ${flowsDir}. ${advice} Or give the path of a .yaml file`)
})

/** The checked flow of a file, its calibration with it; ends the command with its problems if it has any. */
export const openFlow = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const runs = yield* LocalRuns
  const text = yield* Effect.catch(fs.readFileString(file), (error) => missingFile(file, error))
  const compiled = yield* Effect.catch(runs.compile(text, file), ({ message }) => fail(message))
  const { flow, problem } = withCalibration(compiled, yield* textBeside(file))
  if (problem !== undefined) yield* Console.error(renderProblem(problem, ""))
  return flow
})
