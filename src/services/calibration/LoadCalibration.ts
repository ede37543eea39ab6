import { Effect, FileSystem, Result } from "effect"
import type { Problem } from "../../../dsl/source/Problem.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { notAFile } from "../../domain/FileProblem.ts"
import { calibrationNameOf, readCalibration } from "./CalibrationFile.ts"

/** A flow with its calibration; `problem` says why the calibration file was not used. */
export interface WithCalibration {
  readonly flow: RunnableFlow
  readonly problem: Problem | undefined
}

/** Adds the calibration to a flow; an invalid one becomes a problem and is left out. */
export const withCalibration = (
  flow: RunnableFlow,
  beside: { readonly file: string; readonly text: string } | undefined
): WithCalibration => {
  if (beside === undefined) return { flow, problem: undefined }
  const read = readCalibration(beside.text, beside.file, flow.definition)
  return Result.isSuccess(read)
    ? { flow: { ...flow, calibration: read.success }, problem: undefined }
    : { flow, problem: read.failure }
}

/** The text of the calibration next to a flow file, if there is one. */
export const textBeside = Effect.fnUntraced(function* (flowFile: string) {
  const fs = yield* FileSystem.FileSystem
  const file = calibrationNameOf(flowFile)
  if ((yield* notAFile(file)) !== undefined) return undefined
  return yield* Effect.match(fs.readFileString(file), {
    onFailure: () => undefined,
    onSuccess: (text) => ({ file, text })
  })
})
