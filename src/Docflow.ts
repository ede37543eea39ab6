import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, ManagedRuntime, Option } from "effect"
import type * as StepKind from "../dsl/model/StepKind.ts"
import * as StepRegistry from "../dsl/model/StepRegistry.ts"
import { textBeside, withCalibration } from "./services/calibration/LoadCalibration.ts"
import { lexiconFolder, ocrSettings, readerProcesses } from "./config/Config.ts"
import { DocumentReader } from "./document/DocumentReader.ts"
import { StepKinds } from "./engine/StepKinds.ts"
import { LocalRuns, type RunOptions, type RunResult } from "./services/local-runs/LocalRuns.ts"
import { Llm, LlmFailure } from "./providers/llm/Llm.ts"
import * as LlmModels from "./providers/llm/LlmModels.ts"
import { LocalDocuments } from "./providers/documents/LocalDocuments.ts"
import * as OcrEngine from "./providers/ocr/OcrEngine.ts"
import type { Outbound } from "./providers/outbound/Outbound.ts"
import type { OwnDocuments } from "./providers/documents/OwnDocuments.ts"
import * as OutboundHttp from "./providers/outbound/OutboundHttp.ts"
import * as RecordedAnswers from "./services/test-sets/RecordedAnswers.ts"
import { describeStartProblem } from "./StartProblem.ts"
import { allSteps } from "./steps/All.ts"
import * as CurrentLexicon from "./steps/extract/lexicon/CurrentLexicon.ts"

/** Documents, with the OCR of the environment; invalid settings end the program. */
const documents = Layer.unwrap(
  Effect.map(Effect.orDie(Effect.all([ocrSettings, readerProcesses])), ([ocr, processes]) =>
    DocumentReader.layerWith({ processes, ocrPageLimit: ocr.pageSeconds * 1000 }).pipe(
      Layer.provide(OcrEngine.layer(ocr))
    )
  )
)

/** The lexicon, with the folder of the environment; an invalid one ends the program. */
const lexicon = Layer.unwrap(
  Effect.map(Effect.orDie(lexiconFolder), (folder) =>
    Layer.orDie(CurrentLexicon.layer(Option.getOrUndefined(folder)))
  )
)

/** The models of the environment; an invalid setting is reported when a step asks for a model. */
const configuredModels = LlmModels.layerConfig.pipe(
  Layer.catchCause((cause) =>
    Llm.layerFailing(new LlmFailure({ reason: "not-configured", message: `${describeStartProblem(cause)}.` }))
  )
)

/** A test set may record the answers of models and replay them. */
const models = RecordedAnswers.layer.pipe(Layer.provide(configuredModels))

/** The step kinds that docflow comes with. */
export const builtIn: StepRegistry.StepRegistry = allSteps

/** docflow's own services, as a Layer, for a program that is written with Effect; `own` are its step kinds. */
export const layerLocal = <R = never>(own?: StepRegistry.StepRegistry<R>) => {
  const registry: StepRegistry.StepRegistry<R | DocumentReader | OwnDocuments | Llm | Outbound> = {
    kinds: new Map<string, StepKind.Any<R | DocumentReader | OwnDocuments | Llm | Outbound>>([
      ...allSteps.kinds,
      ...(own?.kinds ?? [])
    ])
  }
  return LocalRuns.layer.pipe(
    Layer.provide(StepKinds.layer(registry)),
    Layer.provideMerge(Layer.mergeAll(documents, models, LocalDocuments.layer, OutboundHttp.layer, lexicon)),
    Layer.provideMerge(Layer.mergeAll(NodeServices.layer, NodeCrypto.layer))
  )
}

/** What a program may add to docflow. */
export interface DocflowOptions {
  /** The program's own step kinds; they need no further services. */
  readonly steps?: ReadonlyArray<StepKind.Any<never>>
}

/**
 * Runs flows on documents inside a program, without HTTP and without a database.
 *
 * @example
 * await using docflow = Docflow.open()
 * const result = await docflow.run("flows/invoice/1.1.0.yaml", await readFile("invoice.pdf"))
 */
export class Docflow implements AsyncDisposable {
  readonly #runtime: ManagedRuntime.ManagedRuntime<LocalRuns | FileSystem.FileSystem, never>

  private constructor(options: DocflowOptions) {
    this.#runtime = ManagedRuntime.make(layerLocal(StepRegistry.make(options.steps ?? [])))
  }

  static open(options: DocflowOptions = {}): Docflow {
    return new Docflow(options)
  }

  /**
   * Runs the flow of a file, with the calibration next to it, on the bytes of a document. Rejects with `FlowProblems`
   * when the file has problems and with `RunRefused` when the flow does not accept the document or a variable; a flow
   * that fails is a result with the status `failed`.
   */
  run(flowFile: string, document: Uint8Array, options?: RunOptions): Promise<RunResult> {
    return this.#runtime.runPromise(
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const runs = yield* LocalRuns
        const compiled = yield* runs.compile(yield* fs.readFileString(flowFile), flowFile)
        const { flow, problem } = withCalibration(compiled, yield* textBeside(flowFile))
        if (problem !== undefined) yield* Effect.logWarning(problem.message, problem.file)
        return yield* runs.run(flow, document, options)
      })
    )
  }

  /** Ends the processes that read documents. */
  close(): Promise<void> {
    return this.#runtime.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
