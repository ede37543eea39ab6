import { expect, it } from "vitest"
import { settled } from "../../../src/services/corrections/SettledCorrections.ts"

const said = { step: "fields", accepted: false, by: "key_1", at: "1" }
const lines = [
  { sku: "A", amount: 1 },
  { sku: "B", amount: 2 }
]
const table = { ...said, field: "lines", value: lines }
const cell = (row: number, value: unknown) => ({ ...said, field: "lines", row, column: "sku", value })
const total = { ...said, field: "total", value: 3 }

it("a correction of a table replaces the earlier ones of its cells, and of nothing else", () => {
  expect(settled([cell(0, "C"), total, cell(1, "D"), table])).toEqual([total, table])
  expect(settled([cell(0, "C"), total])).toEqual([cell(0, "C"), total])
})

it("a table contains the later corrections of its cells, with who made the last one", () => {
  const later = { ...cell(1, "D"), by: "key_2", at: "2" }
  const changed = { ...table, value: [lines[0], { sku: "D", amount: 2 }], by: "key_2", at: "2" }
  expect(settled([table, total, later])).toEqual([changed, total, later])
  expect(settled(settled([table, total, later]))).toEqual([changed, total, later])
  const [confirmed] = settled([{ ...table, accepted: true }, later])
  expect(confirmed).toEqual(changed)
  const both = { ...later, accepted: true }
  expect(settled([{ ...table, accepted: true }, both])[0]).toMatchObject({ accepted: true })
})

it("cells that a corrected table does not have are left out", () => {
  expect(settled([table, cell(2, "C")])).toEqual([table])
  expect(settled([{ ...table, value: null }, cell(0, "C")])).toEqual([{ ...table, value: null }])
})
