import { Effect, FileSystem, Result, Schema } from "effect"
import { hash } from "node:crypto"
import type { Calibration } from "../../../dsl/model/Calibration.ts"
import { scoreVersion } from "../../domain/Evidence.ts"
import type { Problem } from "../../../dsl/source/Problem.ts"
import { FittedCurve, lookUp } from "./Curve.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { notAFile } from "../../domain/FileProblem.ts"

/** A flow with its calibration; `problem` says why the calibration file was not used. */
interface WithCalibration {
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

const AtThreshold = Schema.Struct({
  at: Schema.Finite,
  share: Schema.Finite,
  values: Schema.Int,
  wrong: Schema.Int,
  error: Schema.Finite,
  low: Schema.Finite,
  high: Schema.Finite
})

/** The file next to a flow, `<version>.calibration.json`. */
export const CalibrationFile = Schema.Struct({
  /** The version of this format. */
  calibration: Schema.Literal(1),
  /** The version of the scores that it is fitted to. */
  scores: Schema.optionalKey(Schema.Int),
  flow: Schema.String,
  version: Schema.String,
  /**
   * What the curves were fitted on, and the accuracy to expect if the test sets are easier than the documents to come.
   */
  fitted: Schema.Struct({
    documents: Schema.Int,
    values: Schema.Int,
    wrong: Schema.Int,
    forAccuracy: Schema.optionalKey(Schema.Finite)
  }),
  /** What to expect on other documents, by cross-validation on the test sets. */
  expected: Schema.Struct({
    /**
     * The average difference between confidence and accuracy (expected calibration error), 0–1; `before` is that of the
     * scores.
     */
    calibrationError: Schema.Finite,
    before: Schema.Finite,
    thresholds: Schema.Array(AtThreshold)
  }),
  curves: Schema.Array(FittedCurve)
})
export type CalibrationFile = typeof CalibrationFile.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(CalibrationFile))

/** The text of a calibration, a point of a curve on each line. */
export const calibrationText = (made: CalibrationFile): string =>
  `${JSON.stringify(made, null, 2).replaceAll(/\[\s+([\d.e-]+),\s+([\d.e-]+)\s+\]/gu, "[$1, $2]")}\n`

/** The name of the calibration of a flow file: `1.0.0.yaml` has `1.0.0.calibration.json`. */
export const calibrationNameOf = (flowFile: string): string =>
  flowFile.replace(/\.ya?ml$/u, "") + ".calibration.json"

/** The flow that a calibration is read for. */
interface For {
  readonly id: string
  readonly version: string
}

/** Reads a calibration; an invalid one is reported as one problem, at the top of its file. */
export const readCalibration = (
  text: string,
  file: string,
  { id, version }: For
): Result.Result<Calibration, Problem> => {
  const problem = (message: string): Problem => ({
    file,
    line: 1,
    column: 1,
    path: "",
    message,
    suggestion: "Fit it again with docflow test --calibrate; until then the confidences are not calibrated."
  })
  const decoded = decode(text)
  if (Result.isFailure(decoded)) {
    const [first = ""] = decoded.failure.message.split("\n")
    return Result.fail(problem(`The file is not a calibration: ${first}.`))
  }
  const { curves, flow, scores = 1, version: of } = decoded.success
  if (flow !== id || of !== version)
    return Result.fail(problem(`The calibration is for ${flow} ${of}, but its path says ${id} ${version}.`))
  if (scores !== scoreVersion)
    return Result.fail(
      problem(
        `The calibration is fitted to scores of version ${scores}, but this docflow has version ${scoreVersion}.`
      )
    )
  return Result.succeed(calibrationOf(curves))
}

/** Makes a calibration from fitted curves. */
export const calibrationOf = (curves: ReadonlyArray<FittedCurve>): Calibration => ({
  id: hash("sha256", JSON.stringify(curves)),
  confidence: (score, of) => lookUp(curves, score, of)
})
