import { Context, Effect, Layer, Predicate, Result, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { Settings } from "../../config/Config.ts"
import { durableWriter } from "../../support/WriteDurably.ts"
import { isShipped } from "../../config/ShippedFiles.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import { Audit } from "../storage/Audit.ts"
import {
  CalibrationFile,
  calibrationNameOf,
  calibrationText,
  readCalibration
} from "../calibration/CalibrationFile.ts"
import { Flows } from "./Flows.ts"

/** Calibrations in the flows folder of the service. */
export class StoredCalibrations extends Context.Service<
  StoredCalibrations,
  {
    /**
     * Puts a calibration of a flow next to the file of its version, in place of the one before; it is applied within a second.
     * ValidationFailed if it is not a calibration of the flow, if the version has no file, or if nothing may be written.
     */
    store(
      flowId: string,
      calibration: unknown
    ): Effect.Effect<
      { readonly flow: string; readonly version: string },
      ValidationFailed | SqlError.SqlError
    >
  }
>()("docflow/StoredCalibrations") {
  static readonly layer = Layer.effect(
    StoredCalibrations,
    Effect.gen(function* () {
      const { flowEditing, flowsDir } = yield* Settings
      const write = yield* durableWriter
      const flows = yield* Flows
      const audit = yield* Audit

      const store = Effect.fn("StoredCalibrations.store")(function* (id: string, calibration: unknown) {
        if (flowEditing === "off") {
          return yield* refused("Editing flows is turned off. Set DOCFLOW_FLOW_EDITING=on to allow it")
        }
        if (isShipped(flowsDir, "flows")) {
          return yield* refused(
            "The service uses the flows that ship with docflow. Copy them into a folder of your own and set DOCFLOW_FLOWS_DIR"
          )
        }
        const decoded = decode(Predicate.isObject(calibration) ? { ...calibration, flow: id } : calibration)
        if (Result.isFailure(decoded))
          return yield* refused("This is not a calibration that this version of docflow can read")
        const { version } = decoded.success
        const files = yield* flows.files
        const found = files.find((file) => file.id === id && file.version === version)
        if (found === undefined) return yield* refused(`The flows folder has no file of ${id} ${version}`)
        const file = calibrationNameOf(found.file)
        const text = calibrationText(decoded.success)
        const read = readCalibration(text, file, { id, version })
        if (Result.isFailure(read)) return yield* refused(read.failure.message)
        yield* Effect.mapError(write(file, text), ({ message }) =>
          refused(`The calibration cannot be written: ${message}`)
        )
        yield* audit.record({ action: "flow.calibrated", subject: `${id} ${version}` })
        return { flow: id, version }
      })

      return StoredCalibrations.of({ store })
    })
  )
}

const decode = Schema.decodeUnknownResult(CalibrationFile)

const refused = (message: string) =>
  new ValidationFailed({ message, details: { field: "calibration", reason: message } })
