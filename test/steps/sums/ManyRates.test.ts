import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { blocksOf } from "../../../src/extraction/layout/PageBlocks.ts"
import { choiceFeatures } from "../../../src/extraction/features/ChoiceFeatures.ts"
import { missing } from "../../../src/domain/Evidence.ts"
import { withinCpuMs } from "../../support/CpuTime.ts"
import { printed } from "../pages/PrintedLines.ts"

const lines = Array.from(
  { length: 6000 },
  (_, i) => `${50 + (i % 40)}.${String(100 + Math.floor(i / 40))} %   ${(1_000_000 + i * 977.13).toFixed(2)}`
)

describe("a document of thousands of rates and amounts", () => {
  it.effect("is not compared rate by rate: each feature takes a moment", () =>
    Effect.gen(function* () {
      const field = fieldOf("totalAmount", { preset: "invoice.totalAmount" })
      const reading = yield* readDocument(printed(lines), [field], undefined)
      const [span, bbox] = [
        { page: 0, row: 0, from: 0, to: 0 },
        { x: 0, y: 0, w: 1, h: 1 }
      ]
      const chosen = { span, bbox, text: "999999.00", value: 999_999, quality: 1, score: 1 }
      const judged = {
        reading,
        field,
        chosen,
        evidence: missing,
        ranked: [],
        found: 1,
        misfit: 0,
        isReceipt: false,
        isOpenCurrency: false,
        isShared: false
      }
      // Words are compiled once for all documents, blocks are found once for all values.
      const few = yield* readDocument(printed(lines.slice(0, 1)), [field], undefined)
      choiceFeatures({ ...judged, reading: few })
      blocksOf(reading, 0)
      withinCpuMs(80, () => choiceFeatures(judged))
    })
  )
})
