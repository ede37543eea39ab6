import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { sharedReader } from "../support/SharedReader.ts"

const corpus =
  process.env["DOCFLOW_CORPUS"] ?? new URL("../../../shared/corpus/open/", import.meta.url).pathname
const present = existsSync(`${corpus}manifest.json`)

const Manifest = Schema.fromJsonString(
  Schema.Struct({ files: Schema.Array(Schema.Struct({ path: Schema.String, expected: Schema.Unknown })) })
)
const Expected = Schema.Struct({ expect: Schema.String })

const files = present
  ? Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8")).files
  : []
const bad = files.filter(({ path }) => path.startsWith("bad/") && path.endsWith(".pdf"))

describe.skipIf(!present)(
  `corpus of bad PDFs${present ? "" : " (skipped: ../shared/corpus is not here)"}`,
  () => {
    it.live(
      "answers every one, and refuses those that must be refused",
      () =>
        Effect.gen(function* () {
          const reader = yield* DocumentReader
          for (const { path, expected } of bad) {
            const bytes = readFileSync(corpus + path)
            const read = yield* Effect.result(reader.read(bytes, { mimeType: "application/pdf", ocr: "off" }))
            if (Schema.is(Expected)(expected) && expected.expect === "reject") {
              assert.strictEqual(read._tag, "Failure", path)
            }
          }
        }).pipe(Effect.provide(sharedReader)),
      600_000
    )
  }
)
