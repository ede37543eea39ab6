import { Context, Effect, Layer, Schema } from "effect"
import type { Box } from "../../domain/DocumentIR.ts"

/** A picture could not be recognised; the next one may well be. */
export class OcrFailure extends Schema.TaggedError<OcrFailure>()("OcrFailure", { message: Schema.String }) {}

/** No picture can be recognised: the provider is off, missing, or lacks a language. */
export class OcrUnavailable extends Schema.TaggedError<OcrUnavailable>()("OcrUnavailable", {
  message: Schema.String
}) {}

/** A picture to recognise: 8-bit gray, row by row without padding. */
export interface OcrImage {
  readonly width: number
  readonly height: number
  readonly dpi: number
  readonly pixels: Uint8Array
  /** Its text runs in lines from edge to edge, as on a receipt: it is not searched for columns and pictures. */
  readonly oneColumn?: boolean
}

/** A recognised word; its box in pixels of the picture, `confidence` 0–1. */
export interface OcrWord {
  readonly text: string
  readonly bbox: Box
  readonly confidence: number
}

/** Recognises the text of pictures (scanned pages, photos). */
export class Ocr extends Context.Service<
  Ocr,
  {
    /** False where recognition is switched off: scanned pages are then listed as unread. */
    readonly enabled: boolean
    /** How many pictures it recognises at the same time; more of them wait. */
    readonly atOnce: number
    recognize(
      image: OcrImage
    ): Effect.Effect<{ readonly words: ReadonlyArray<OcrWord> }, OcrFailure | OcrUnavailable>
  }
>()("docflow/providers/Ocr") {
  /** No recognition. */
  static readonly layerOff: Layer.Layer<Ocr> = Layer.succeed(Ocr, {
    enabled: false,
    atOnce: 1,
    recognize: () =>
      Effect.fail(new OcrUnavailable({ message: "Recognition of scanned pages is off; set DOCFLOW_OCR." }))
  })
}
