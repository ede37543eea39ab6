import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type FileSystem, Layer, ManagedRuntime, Option, Result, Schema } from "effect"
import type * as StepKind from "../dsl/model/StepKind.ts"
import * as StepRegistry from "../dsl/model/StepRegistry.ts"
import { lexiconFolder, ocrSettings, readerProcesses } from "./config/Config.ts"
import { DocumentReader } from "./document/DocumentReader.ts"
import { StepKinds } from "./engine/program/StepKinds.ts"
import { LocalRuns, type RunOptions, type RunResult } from "./services/local-runs/LocalRuns.ts"
import { runFlowFile } from "./services/local-runs/RunFlowFile.ts"
import { Llm, LlmFailure } from "./providers/llm/Llm.ts"
import * as LlmModels from "./providers/llm/LlmModels.ts"
import { LocalDocuments } from "./providers/documents/LocalDocuments.ts"
import * as OcrEngine from "./providers/ocr/OcrEngine.ts"
import type { Outbound } from "./providers/outbound/Outbound.ts"
import type { OwnDocuments } from "./providers/documents/OwnDocuments.ts"
import * as OutboundHttp from "./providers/outbound/OutboundHttp.ts"
import * as RecordedAnswers from "./services/test-sets/RecordedAnswers.ts"
import { describeStartProblem } from "./app/StartProblem.ts"
import { allSteps } from "./steps/All.ts"
import * as CurrentLexicon from "./extraction/lexicon/CurrentLexicon.ts"

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

/**
 * docflow's own services, as a Layer, for a program that is written with Effect; `own` are its step kinds. Throws
 * `InvalidStepKind` if one of them has a name that docflow uses.
 */
export const layerLocal = <R = never>(own?: StepRegistry.StepRegistry<R>) => {
  const added = Result.getOrThrow(StepRegistry.ownKinds([...(own?.kinds.values() ?? [])], allSteps))
  const registry: StepRegistry.StepRegistry<R | DocumentReader | OwnDocuments | Llm | Outbound> = {
    kinds: new Map<string, StepKind.Any<R | DocumentReader | OwnDocuments | Llm | Outbound>>([
      ...allSteps.kinds,
      ...added.kinds
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

/** A run of a `Docflow` that has been closed, or was closed while it ran. */
export class DocflowClosed extends Schema.TaggedError<DocflowClosed>()("DocflowClosed", {
  message: Schema.String
}) {}

/** Options of a run in a program. */
export interface DocflowRunOptions extends RunOptions {
  /** Ends the run, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/**
 * Runs flows on documents inside a program, without HTTP and without a database.
 *
 * @example
 * await using docflow = Docflow.open()
 * const result = await docflow.run("flows/invoice/1.0.0.yaml", await readFile("invoice.pdf"))
 */
export class Docflow implements AsyncDisposable {
  readonly #runtime: ManagedRuntime.ManagedRuntime<LocalRuns | FileSystem.FileSystem, never>
  readonly #closed = new AbortController()

  private constructor(options: DocflowOptions) {
    const own = Result.getOrThrow(StepRegistry.ownKinds(options.steps ?? [], allSteps))
    this.#runtime = ManagedRuntime.make(layerLocal(own))
  }

  /** Throws `InvalidStepKind` if a step kind has an invalid name, or one that docflow or another kind has. */
  static open(options: DocflowOptions = {}): Docflow {
    return new Docflow(options)
  }

  /**
   * Runs the flow of a file, with the calibration next to it, on the bytes of a document. Rejects with `UnreadableFlow`
   * or `FlowProblems` if the file cannot be read or has problems, with `RunRefused` if the flow does not accept the
   * document or a variable, with the reason of `signal` when it is aborted, and with `DocflowClosed` after `close`. A
   * flow that fails is a result with the status `failed`.
   */
  async run(flowFile: string, document: Uint8Array, options: DocflowRunOptions = {}): Promise<RunResult> {
    const { signal: given, ...runOptions } = options
    const signal = AbortSignal.any([this.#closed.signal, ...(given === undefined ? [] : [given])])
    signal.throwIfAborted()
    try {
      return await this.#runtime.runPromise(runFlowFile(flowFile, document, runOptions), { signal })
    } catch (failure) {
      signal.throwIfAborted()
      throw failure
    }
  }

  /** Ends the processes that read documents, and the runs that have not ended. */
  close(): Promise<void> {
    this.#closed.abort(
      new DocflowClosed({ message: "This Docflow is closed. Open another one with Docflow.open()" })
    )
    return this.#runtime.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
