import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mendedMoney } from "../../../src/extraction/values/MendedMoney.ts"
import { printed } from "./PrintedLines.ts"
import { readPage } from "./ReadPrinted.ts"

describe("amounts that recognition spoiled", () => {
  it.each([
    ["27. 00", 27],
    ["12 .50", 12.5],
    ["RM 64 13", 64.13],
    ["RM50 00", 50],
    ["5.00.", 5],
    ['64.50"', 64.5],
    ["§3.55", 53.55],
    ["7,8O", 7.8],
    ["RN152. 00", 152],
    ["=2.30", 2.3]
  ])("%s is %d", (text, value) => {
    assert.strictEqual(mendedMoney(text, ".")?.value, value)
  })

  it.each(["BO", "O.O", "SO.OO", "1 2", "12.5", "27", "SHO1", "1.234.56.78", "K.OO"])(
    "%s is none",
    (text) => {
      assert.strictEqual(mendedMoney(text, "."), undefined)
    }
  )
})

const definitions = {
  merchantName: { preset: "receipt.merchantName" },
  address: { preset: "receipt.address" },
  date: { preset: "receipt.date" },
  totalAmount: { preset: "receipt.totalAmount" },
  currency: { preset: "invoice.currency" },
  cash: { preset: "receipt.cash" },
  change: { preset: "receipt.change" }
} as const
const read = async (lines: ReadonlyArray<string>) => {
  const page = printed(lines, { recognized: true })
  return (await Effect.runPromise(readPage(page, definitions, ["totalAmount + change = cash"]))).found
}
const head = ["CAFFE AURORA SRL", "Via Roma 12, 20121 Milano", "Data: 14/03/2025"]

describe("receipts that were recognized", () => {
  it("gives the total that a line rounds to, where it is printed, and no other", async () => {
    const rounded = await read([
      ...head,
      "Total Excl GST      60.53",
      "GST 6%      3.63",
      "Total Incl GST      64.16",
      "Rounding Adj      -0.01",
      "TOTAL RM      64.15",
      "CASH      100.00",
      "CHANGE      35.85"
    ])
    assert.deepInclude(rounded["totalAmount"], { value: 64.15, status: "grounded" })
    const card = await read([...head, "Total  RM 64.13", "Rounding  RM 0.00"])
    assert.deepInclude(card["totalAmount"], { value: 64.13, status: "grounded" })
    const none = await read([...head, "Total  RM 64.13"])
    assert.deepInclude(none["totalAmount"], { value: 64.13, status: "grounded" })
  })

  it("gives a total back the point that it lost where other amounts have theirs", async () => {
    const found = await read([...head, "Kaas  14,05", "Koffie  8,95", "Totaal  2300"])
    assert.deepInclude(found["totalAmount"], { value: 23, status: "inferred" })
    const whole = await read([...head, "Sushi  800", "Tea  300", "Total  1100"])
    assert.deepInclude(whole["totalAmount"], { value: 1100, status: "grounded" })
  })

  it("is surer of a total that is printed again", async () => {
    const once = await read([...head, "Total  RM 64.13"])
    const twice = await read([...head, "Total  RM 64.13", "Card  RM 64.13"])
    assert.isAbove(twice["totalAmount"]?.confidence ?? 0, once["totalAmount"]?.confidence ?? 1)
  })

  it("takes no number of a company for a part of its name, and a line of what it is for one", async () => {
    const numbered = await read([
      "Dian Realities Sdn Bhd (Co. No:20154-T)",
      "27, Jalan Sultan, 50250 Kuala Lumpur"
    ])
    assert.strictEqual(numbered["merchantName"]?.value, "Dian Realities Sdn Bhd")
    const twice = await read(["THREE STOOGES", "BISTRO & CAFE", "109, High Street, London", "TAX INVOICE"])
    assert.strictEqual(twice["merchantName"]?.value, "THREE STOOGES BISTRO & CAFE")
    assert.strictEqual(twice["address"]?.value, "109, High Street, London")
  })

  it("is of the shop that names itself, not of the company below it", async () => {
    const found = await read([
      "PASTELARIA FLOR DO RIO",
      "Silva & Morais, Lda",
      "Rua do Sol 4, Porto",
      "TOTAL 3,10"
    ])
    assert.strictEqual(found["merchantName"]?.value, "PASTELARIA FLOR DO RIO")
    const company = await read(["FLOR DO RIO", "Silva & Morais, Lda", "Rua do Sol 4, Porto", "TOTAL 3,10"])
    assert.strictEqual(company["merchantName"]?.value, "Silva & Morais, Lda")
  })

  it("is of the day with a time, not of one that a sentence names", async () => {
    const found = await read([
      "KOPI & TOAST",
      "12, Jalan Sultan, 50250 Kuala Lumpur",
      "28 Jan 2025 12:47     Staff: Aisyah",
      "Kaya Toast Set     6.80",
      "TOTAL              6.80",
      "Closed until 31 Jan 2025"
    ])
    assert.strictEqual(found["date"]?.value, "2025-01-28")
  })
})
