import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { blockAround } from "../../../src/extraction/names/NameBlock.ts"
import { namesIn } from "../../../src/extraction/layout/NamesIn.ts"
import { segmentsOf } from "../../../src/extraction/layout/Segments.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

it.effect("a sole trader may name the owner as others name whom a letter is for", () =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(40, 14, [
        { 40: "Fjordens Vinduespolering" },
        { 40: "v/ Mads Toft" },
        { 40: "Strandvejen 6, 4040 Jyllinge" },
        { 40: "Tlf. 55 50 12 18" }
      ])
    )
    const reading = yield* readDocument(page, [], undefined)
    const [first] = reading.pages
    const [trader] = segmentsOf(reading)
    assert.isDefined(first)
    assert.isDefined(trader)
    if (first === undefined || trader === undefined) return
    assert.isFalse(blockAround(first, trader, namesIn(reading)).addressed)
  })
)
