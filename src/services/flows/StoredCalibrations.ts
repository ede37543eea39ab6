import { Context, Effect, FileSystem, Layer, Path, Predicate, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlError } from "effect/sql"
import { Settings } from "../../config/Config.ts"
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
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const random = yield* SecureRandom.SecureRandom
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
        // Renamed into place: nobody reads half of it. The folder's own files never begin with a dot.
        const unfinished = path.join(path.dirname(file), `.${yield* random.ulid}.tmp`)
        yield* fs.writeFileString(unfinished, text).pipe(
          Effect.andThen(fs.rename(unfinished, file)),
          Effect.tapError(() => Effect.ignore(fs.remove(unfinished))),
          Effect.mapError(({ message }) => refused(`The calibration cannot be written: ${message}`)),
          Effect.uninterruptible
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
