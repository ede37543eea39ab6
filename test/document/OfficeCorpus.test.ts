import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { extname } from "node:path"
import { Effect, Schema } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { sharedReader } from "../support/SharedReader.ts"

const corpus =
  process.env["DOCFLOW_CORPUS"] ?? new URL("../../../shared/corpus/open/", import.meta.url).pathname
const present = existsSync(`${corpus}manifest.json`)
const long = process.env["DOCFLOW_TEST_LONG"] !== undefined
const skipped = present ? "DOCFLOW_TEST_LONG is not set" : "../shared/corpus is not here"

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    files: Schema.Array(
      Schema.Struct({
        path: Schema.String,
        expected: Schema.Struct({ expect: Schema.optionalKey(Schema.String) })
      })
    )
  })
)

const files = present
  ? Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8")).files
  : []

const office = "application/vnd.openxmlformats-officedocument"
/** What a caller would declare who goes by the name. */
const declared: Readonly<Record<string, string>> = {
  ".docx": `${office}.wordprocessingml.document`,
  ".eml": "message/rfc822",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpg": "image/jpeg",
  ".odt": "application/vnd.oasis.opendocument.text",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".tif": "image/tiff",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xlsx": `${office}.spreadsheetml.sheet`
}

const readers = sharedReader

describe.skipIf(!present || !long)(
  `corpus of bad files${present && long ? "" : ` (skipped: ${skipped})`}`,
  () => {
    it.live(
      "answers every one, refuses what must be refused, and reads the next",
      () =>
        Effect.gen(function* () {
          const reader = yield* DocumentReader
          const good = readFileSync(new URL("../../examples/invoice.pdf", import.meta.url))
          for (const { expected, path } of files.filter((file) => file.path.startsWith("bad/"))) {
            const bytes = readFileSync(corpus + path)
            for (const mimeType of [declared[extname(path)] ?? "", "application/octet-stream"]) {
              const read = yield* Effect.result(reader.read(bytes, { mimeType, ocr: "off" }))
              if (read._tag === "Failure") assert.strictEqual(read.failure._tag, "UnreadableDocument", path)
              // Text with the name of a picture is still text, if nobody says that it is a picture.
              if (expected.expect === "reject" && mimeType !== "application/octet-stream") {
                assert.strictEqual(read._tag, "Failure", path)
              }
            }
            assert.isAbove((yield* reader.read(good, { mimeType: "application/pdf" })).pages.length, 0, path)
          }
        }).pipe(Effect.provide(readers)),
      600_000
    )
  }
)

describe.skipIf(!present)(`corpus of office files${present ? "" : ` (skipped: ${skipped})`}`, () => {
  it.live(
    "reads every one of the formats that it says it reads",
    () =>
      Effect.gen(function* () {
        const reader = yield* DocumentReader
        const unread: Array<string> = []
        for (const { path } of files.filter((file) => file.path.startsWith("office/"))) {
          const read = yield* Effect.result(reader.read(readFileSync(corpus + path), { mimeType: "" }))
          if (read._tag === "Failure") unread.push(extname(path))
        }
        assert.deepStrictEqual(unread.toSorted(), [".doc", ".epub"])
      }).pipe(Effect.provide(readers)),
    60_000
  )
})
