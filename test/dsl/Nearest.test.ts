import { describe, expect, it } from "vitest"
import { nearest } from "../../dsl/index.ts"

const presets = [
  "invoice.date",
  "invoice.number",
  "invoice.subtotal",
  "invoice.taxAmount",
  "invoice.totalAmount",
  "invoice.vendorName",
  "receipt.date",
  "receipt.totalAmount"
]

describe("the nearest name", () => {
  it.each([
    ["invoice.totl", undefined],
    ["invoice.totalAmuont", "invoice.totalAmount"],
    ["invoice.total", "invoice.totalAmount"],
    ["invoice.vendor", "invoice.vendorName"],
    ["invoice.Name", "invoice.vendorName"],
    ["invoice.amount", undefined],
    ["invoice.vat", undefined],
    ["invoice.net", undefined],
    ["receipt.total", "receipt.totalAmount"],
    ["recept.date", "receipt.date"],
    ["totalAmount", undefined]
  ])("to %s is %s", (wrong, name) => {
    expect(nearest(wrong, presets)).toBe(name)
  })

  it("compares what is not shared, and whole words", () => {
    expect(nearest("invoic", ["invoice", "invoice-two"])).toBe("invoice")
    expect(nearest("count", ["pageCount", "country"])).toBe("pageCount")
    expect(nearest("coun", ["pageCount", "country", "count"])).toBe("count")
    expect(nearest("page", ["pageCount", "total"])).toBe("pageCount")
    expect(nearest("a", ["ab", "a-b"])).toBeUndefined()
  })
})
