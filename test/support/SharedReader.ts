import { Effect, Layer, ManagedRuntime } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"

const shared = ManagedRuntime.make(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))

/**
 * The reader that all test files of a worker share, without recognition: its processes are started once a worker, not once a
 * file. They end with the worker.
 */
export const sharedReader: Layer.Layer<DocumentReader> = Layer.effect(
  DocumentReader,
  Effect.promise(() => shared.runPromise(DocumentReader))
)
