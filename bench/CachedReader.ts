import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { hash } from "node:crypto"
import { Effect, Layer, Schema } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { DocumentIR } from "../src/domain/DocumentIR.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"

const Kept = Schema.fromJsonString(DocumentIR)

type Engines = Parameters<typeof OcrEngine.layer>[0]

/** Where programs that share documents keep what was read of them. */
export const readFolder = new URL("../node_modules/.cache/docflow/read", import.meta.url).pathname

/**
 * Reads documents, and keeps what was read in `folder`: recognition takes far longer than what is measured here. Pictures are
 * recognised in `languages`; `auto` finds that of each page, as docflow does by default. Each engine needs a folder of its own.
 */
export const cachedReader = (
  folder: string | undefined,
  languages: ReadonlyArray<string> = ["eng"],
  engine: Engines["engine"] = "auto"
): Layer.Layer<DocumentReader> => {
  const real = DocumentReader.layer.pipe(Layer.provide(OcrEngine.layer({ engine, languages })))
  return folder === undefined
    ? real
    : Layer.effect(
        DocumentReader,
        Effect.map(DocumentReader, (reader) => {
          mkdirSync(folder, { recursive: true })
          const read: (typeof reader)["read"] = (bytes, options) => {
            const file = `${folder}/${hash("sha256", bytes)}.json`
            if (existsSync(file)) return Effect.orDie(Schema.decodeEffect(Kept)(readFileSync(file, "utf8")))
            return Effect.tap(reader.read(bytes, options), (document) =>
              // A page that took too long on a busy machine is read again the next time.
              document.pages.some(({ problem }) => problem !== undefined)
                ? Effect.void
                : Effect.sync(() => writeFileSync(file, JSON.stringify(document)))
            )
          }
          return DocumentReader.of({ ...reader, read })
        })
      ).pipe(Layer.provide(real))
}
