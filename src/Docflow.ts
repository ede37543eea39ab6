import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Clock,
  Effect,
  type FileSystem,
  Layer,
  ManagedRuntime,
  Option,
  type Path,
  Result,
  Schema
} from "effect"
import type { FlowSource } from "../dsl/model/FlowDefinition.ts"
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
import type { Ocr } from "./providers/ocr/Ocr.ts"
import * as OcrEngine from "./providers/ocr/OcrEngine.ts"
import type { Outbound } from "./providers/outbound/Outbound.ts"
import type { OwnDocuments } from "./providers/documents/OwnDocuments.ts"
import * as OutboundHttp from "./providers/outbound/OutboundHttp.ts"
import * as RecordedAnswers from "./services/test-sets/RecordedAnswers.ts"
import { describeStartProblem } from "./app/StartProblem.ts"
import { allSteps } from "./steps/All.ts"
import * as CurrentLexicon from "./extraction/lexicon/CurrentLexicon.ts"

/** Parts of docflow that a program replaces with its own. */
export interface DocflowServices {
  /** The models that steps ask. Default: those of `DOCFLOW_LLM`. */
  readonly llm?: Layer.Layer<Llm>
  /** Recognition of scanned pages. Default: as `DOCFLOW_OCR` says. */
  readonly ocr?: Layer.Layer<Ocr>
  /** What tells the time. Default: the system. */
  readonly clock?: Clock.Clock
}

/** Documents, with the OCR of the environment unless the program has its own; invalid settings end the program. */
const documents = (own: Layer.Layer<Ocr> | undefined) =>
  Layer.unwrap(
    Effect.map(Effect.orDie(Effect.all([ocrSettings, readerProcesses])), ([ocr, processes]) =>
      DocumentReader.layerWith({ processes, ocrPageLimit: ocr.pageSeconds * 1000 }).pipe(
        Layer.provide(own ?? OcrEngine.layer(ocr))
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

/** The step kinds that docflow comes with. */
export const builtIn: StepRegistry.StepRegistry = allSteps

/**
 * docflow's own services, as a Layer, for a program that is written with Effect; `own` are its step kinds, `services` the
 * parts that it replaces. Throws `InvalidStepKind` if a step kind has a name that docflow uses.
 */
export const layerLocal = <R = never>(
  own?: StepRegistry.StepRegistry<R>,
  { clock, llm, ocr }: DocflowServices = {}
) => {
  // A test set may record the answers of models and replay them.
  const models = RecordedAnswers.layer.pipe(Layer.provide(llm ?? configuredModels))
  const added = Result.getOrThrow(StepRegistry.ownKinds([...(own?.kinds.values() ?? [])], allSteps))
  const registry: StepRegistry.StepRegistry<R | DocumentReader | OwnDocuments | Llm | Outbound> = {
    kinds: new Map<string, StepKind.Any<R | DocumentReader | OwnDocuments | Llm | Outbound>>([
      ...allSteps.kinds,
      ...added.kinds
    ])
  }
  return LocalRuns.layer.pipe(
    Layer.provide(StepKinds.layer(registry)),
    Layer.provideMerge(
      Layer.mergeAll(documents(ocr), models, LocalDocuments.layer, OutboundHttp.layer, lexicon)
    ),
    Layer.provideMerge(Layer.mergeAll(NodeServices.layer, NodeCrypto.layer)),
    Layer.provideMerge(clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, clock))
  )
}

/** What a program may add to docflow, or replace in it. */
export interface DocflowOptions extends DocflowServices {
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
 * const result = await docflow.run("invoice", await readFile("invoice.pdf"))
 */
export class Docflow implements AsyncDisposable {
  readonly #runtime: ManagedRuntime.ManagedRuntime<LocalRuns | FileSystem.FileSystem | Path.Path, never>
  readonly #closed = new AbortController()

  private constructor(options: DocflowOptions) {
    const own = Result.getOrThrow(StepRegistry.ownKinds(options.steps ?? [], allSteps))
    this.#runtime = ManagedRuntime.make(layerLocal(own, options))
  }

  /** Throws `InvalidStepKind` if a step kind has an invalid name, or one that docflow or another kind has. */
  static open(options: DocflowOptions = {}): Docflow {
    return new Docflow(options)
  }

  /**
   * Runs a flow on the bytes of a document: the newest version of an id in `./flows` or, without that folder, of the flows that
   * come with docflow; the flow of a file; or one that was built with `Flow.make`. Rejects with
   * `UnreadableFlow` or `FlowProblems` if there is no such flow or it has problems, with an error of the API (`INVALID_DOCUMENT`,
   * `VALIDATION_ERROR` …) if the flow does not accept the document or a variable, with the reason of `signal` when it is aborted, and with `DocflowClosed` after `close`. A
   * flow that fails is a result with the status `failed`.
   */
  async run(
    flow: string | FlowSource,
    document: Uint8Array,
    options: DocflowRunOptions = {}
  ): Promise<RunResult> {
    const { signal: given, ...runOptions } = options
    const signal = AbortSignal.any([this.#closed.signal, ...(given === undefined ? [] : [given])])
    signal.throwIfAborted()
    try {
      return await this.#runtime.runPromise(runFlowFile(flow, document, runOptions), { signal })
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
