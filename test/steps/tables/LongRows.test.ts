import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { payeeVatIds } from "../../../src/extraction/names/PayeeVatIds.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { rowValues } from "../../../src/extraction/tables/TableRow.ts"
import { withinCpuMs } from "../../support/CpuTime.ts"
import { printed } from "../pages/PrintedLines.ts"

const field = fieldOf("totalAmount", { preset: "invoice.totalAmount" })

const line = (i: number): string => `IBAN DE02 1203 0000 0000 2020 51 USt-IdNr. DE${100_000_000 + i}`

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

  it.effect("may list accounts and VAT numbers, which say nothing of who is paid", () =>
    Effect.gen(function* () {
      const few = yield* readDocument(printed([line(1), line(2)]), [field], undefined)
      expect(payeeVatIds(few)).toEqual(["DE100000001", "DE100000002"])
      const many = yield* readDocument(
        printed(Array.from({ length: 50 }, (_, i) => line(i))),
        [field],
        undefined
      )
      expect(payeeVatIds(many)).toEqual([])
    })
  )
})
