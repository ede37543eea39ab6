import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { rowValues } from "../../../src/extraction/tables/TableRow.ts"
import { withinCpuMs } from "../../support/CpuTime.ts"
import { printed } from "../pages/PrintedLines.ts"

const field = fieldOf("totalAmount", { preset: "invoice.totalAmount" })

describe("a document made to take long", () => {
  it.effect("may have thousands of words in a cell of figures", () =>
    Effect.gen(function* () {
      const reading = yield* readDocument(printed(["Total 1.00"]), [field], undefined)
      const word = { text: "x1", folded: "x1", phrase: 0, x: 0, y: 0, w: 1, h: 10 }
      const tokens = Array.from({ length: 2000 }, () => word)
      const column = { name: "quantity", type: "number", labels: [] } as const
      withinCpuMs(100, () => rowValues([column], new Map([["quantity", tokens]]), reading))
    })
  )
})
