import { Context, Effect, Layer, Schema } from "effect"
import type { Box } from "../../domain/DocumentIR.ts"

/** A picture could not be recognised; others may succeed. */
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
   * The layout: a page (the default); a single column with lines from edge to edge, as on a receipt, which is not
   * searched for columns and pictures; or a single line.
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
  /** The languages in which it was read, by Tesseract's names. */
  readonly languages?: ReadonlyArray<string>
  /** Its script is one that Latin letters upside down look like: the page may be turned. */
  readonly mayBeTurned?: boolean
  /** A warning for people, such as missing data of its language. */
  readonly warning?: string
}

/** Recognises the text of pictures (scanned pages, photos). */
export class Ocr extends Context.Service<
  Ocr,
  {
    /** False if recognition is switched off: scanned pages are then listed as unread. */
    readonly enabled: boolean
    /** The number of pictures recognised at the same time; others wait. */
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
