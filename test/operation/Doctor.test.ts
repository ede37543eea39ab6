import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { findings } from "../../src/app/Doctor.ts"

describe("docflow doctor", () => {
  it.live("lists engines, languages, programs and the sandbox, and names what is missing", () =>
    Effect.gen(function* () {
      const found = new Map((yield* findings).map(({ found, name }) => [name, found]))
      assert.include(found.get("Languages of tesseract.js"), "eng")
      assert.include(found.get("Languages of tesseract.js"), "npm install @tesseract.js-data/")
      assert.include(found.get("OCR engine paddle"), "checksums match")
      assert.match(found.get("Program tesseract") ?? "", /^(?:not )?installed/u)
      assert.isDefined(found.get("Sandbox"))
    })
  )
})
