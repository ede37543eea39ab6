import { Result } from "effect"
import { scoreVersion } from "../../domain/Evidence.ts"
import type { CalibrationFile } from "./CalibrationFile.ts"
import { rounded } from "./Curve.ts"
import { crossValidated, fitCurves } from "./FitCurves.ts"
import { type AtThreshold, atThreshold, calibrationError, thresholds } from "./Reliability.ts"
import { documentsOf, issuerOf, type Observation } from "./Observation.ts"
import { defined } from "../../support/Defined.ts"

const fewestValues = 40
const fewestIssuers = 8

const roundedAt = (found: AtThreshold): AtThreshold => ({
  ...found,
  share: rounded(found.share),
  error: rounded(found.error),
  low: rounded(found.low),
  high: rounded(found.high)
})

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/**
 * Fits the calibration of a flow for documents of which the share `accuracy` of the values is right, or for documents
 * like those of the test sets. If there are too few values, says what is missing.
 */
export const makeCalibration = (
  flow: { readonly id: string; readonly version: string },
  observations: ReadonlyArray<Observation>,
  accuracy?: number
): Result.Result<CalibrationFile, string> => {
  const documents = documentsOf(observations)
  const issuers = new Set(observations.map(issuerOf)).size
  if (observations.length < fewestValues || issuers < fewestIssuers) {
    return Result.fail(
      `These are too few documents to tell whether a calibration would help: ${counted(observations.length, "value")} with a confidence from ${counted(documents, "document")} of ${counted(issuers, "issuer")}; at least ${fewestValues} values from ${fewestIssuers} issuers are needed.`
    )
  }
  const judged = crossValidated(observations, accuracy)
  const before = observations.map(({ right, score }) => ({ confidence: score, right }))
  return Result.succeed({
    calibration: 1,
    scores: scoreVersion,
    flow: flow.id,
    version: flow.version,
    fitted: {
      documents,
      values: observations.length,
      wrong: observations.filter(({ right }) => !right).length,
      ...defined({ forAccuracy: accuracy })
    },
    expected: {
      calibrationError: rounded(calibrationError(judged)),
      before: rounded(calibrationError(before)),
      thresholds: thresholds.map((at) => roundedAt(atThreshold(judged, at)))
    },
    curves: fitCurves(observations, accuracy)
  })
}
