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
  /**
   * What it shows: a page (the default), a single column with lines from edge to edge, as on a receipt, which is not
   * searched for columns and pictures, or a single line.
   */
  readonly layout?: "page" | "column" | "line"
}

/** A recognised word; its box in pixels of the picture, `confidence` 0–1, on the same scale for every engine. */
export interface OcrWord {
  readonly text: string
  readonly bbox: Box
  readonly confidence: number
}

/** The words of a picture, and how they were recognised. */
export interface Recognition {
  readonly words: ReadonlyArray<OcrWord>
  /** The engines, such as `paddle+tesseract-js`. */
  readonly engine?: string
  /** The languages that it was read in, by Tesseract's names. */
  readonly languages?: ReadonlyArray<string>
  /** What may be wrong with it, for people: the data of its language is missing. */
  readonly warning?: string
}

/** Recognises the text of pictures (scanned pages, photos). */
export class Ocr extends Context.Service<
  Ocr,
  {
    /** False where recognition is switched off: scanned pages are then listed as unread. */
    readonly enabled: boolean
    /** How many pictures it recognises at the same time; more of them wait. */
    readonly atOnce: number
    recognize(image: OcrImage): Effect.Effect<Recognition, OcrFailure | OcrUnavailable>
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
