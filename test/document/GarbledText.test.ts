import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { documentText } from "../../src/domain/DocumentIR.ts"
import { drawPdf, linesAt } from "./DrawPdf.ts"
import { sharedReader } from "../support/SharedReader.ts"

const plain = [
  "The river brought cold water down from the hills where snow lay until June",
  "and the farmers of the valley knew that each spring would flood low fields",
  "before any seed could be sown, so they built walls with stones that had been",
  "taken out of the ground by hand while the council talked about what it cost"
]
/** What a font whose letters are 29 places off gives for them. */
const shifted = plain.map((line) =>
  line.replace(/[a-z]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 29)).replace(/T/gu, "7")
)
const codes = Array.from({ length: 30 }, (_, i) => `XK-${i}41 BRT${i} 4012345${i} 12.${i} 18 %`)

const read = (lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const bytes = yield* Effect.promise(() => drawPdf([{ texts: linesAt(60, 60, lines) }]))
    const reader = yield* DocumentReader
    return yield* reader.read(bytes, { mimeType: "application/pdf" })
  }).pipe(Effect.provide(sharedReader))

describe("text of a font that maps its letters wrongly", () => {
  it.live("is a problem of its page", () =>
    Effect.gen(function* () {
      const { pages } = yield* read(shifted)
      expect(pages[0]?.problem).toContain("font maps its letters wrongly")
    })
  )

  it.live.each([
    { name: "prose", lines: plain },
    { name: "codes and figures", lines: codes }
  ])("is not seen in $name", ({ lines }) =>
    Effect.gen(function* () {
      const document = yield* read(lines)
      expect(document.pages[0]?.problem).toBeUndefined()
      expect(documentText(document)).toBe(lines.join("\n"))
    })
  )
})
