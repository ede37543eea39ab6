import { Config, Effect } from "effect"
import { hash } from "node:crypto"
import { outlineOf } from "../../../dsl/model/FlowCalls.ts"
import { FlowLibrary } from "../../../dsl/check/FlowLibrary.ts"
import type { StepRegistry } from "../../../dsl/model/StepRegistry.ts"
import { textBeside, withCalibration } from "../calibration/LoadCalibration.ts"
import { ownOrShipped } from "../../config/ShippedFiles.ts"
import { DocumentReader } from "../../document/DocumentReader.ts"
import { flowsAround } from "./FlowsAround.ts"

/** Embedding programs have no `Settings`; this default is the same. */
const flowsDir = Effect.orElseSucceed(Config.String("DOCFLOW_FLOWS_DIR"), () => ownOrShipped("flows"))

/** Checks the text of a flow file, with the flows that it calls. */
export const checkFile = Effect.fn("Flows.checkFile")(function* (
  text: string,
  file: string,
  registry: StepRegistry<never>
) {
  const { ids, texts } = yield* flowsAround(file, text, yield* flowsDir)
  const calibrations = yield* Effect.forEach(texts, (one) => textBeside(one.file))
  const beside = new Map(texts.map((one, index) => [one.file, calibrations[index]]))
  const library = new FlowLibrary<never>(texts, {
    registry,
    known: ids,
    formats: DocumentReader.formats,
    sha256: (content) => hash("sha256", content),
    complete: (flow, one) => withCalibration(flow, beside.get(one.file)).flow
  })
  const { id = "", version = "" } = outlineOf(text)
  return library.check({ id, version, file, text })
})
