import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import * as OcrEngine from "../../../src/providers/ocr/OcrEngine.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import {
  syntheticReceipts,
  type SyntheticReceipt,
  photographed,
  receiptPdf
} from "../../fixtures/SyntheticReceipts.ts"

const reader = DocumentReader.layer.pipe(
  Layer.provide(OcrEngine.layer({ engine: "tesseract-js", languages: ["eng"] }))
)
const fields = [
  fieldOf("merchantName", { preset: "receipt.merchantName" }),
  fieldOf("date", { preset: "receipt.date" }),
  fieldOf("totalAmount", { preset: "receipt.totalAmount" }),
  fieldOf("cash", { preset: "receipt.cash" }),
  fieldOf("change", { preset: "receipt.change" })
]

const check = Effect.fnUntraced(function* (receipt: SyntheticReceipt, bytes: Uint8Array, mimeType: string) {
  const document = yield* (yield* DocumentReader).read(bytes, { mimeType })
  const found = yield* extractByRules(document, { fields, relations: ["totalAmount + change = cash"] })
  const { date, total, vendor } = receipt.expected
  assert.deepStrictEqual(
    { vendor: found["merchantName"]?.value, date: found["date"]?.value, total: found["totalAmount"]?.value },
    { vendor, date, total },
    receipt.name
  )
})

layer(reader, { excludeTestServices: true })("receipts of seven countries", (it) => {
  for (const receipt of syntheticReceipts(7))
    it.effect(`${receipt.name}, as a PDF`, () =>
      Effect.gen(function* () {
        yield* check(receipt, yield* Effect.promise(() => receiptPdf(receipt)), "application/pdf")
      })
    )

  for (const [i, receipt] of syntheticReceipts(7).entries())
    if (receipt.name.startsWith("nl"))
      it.effect(`${receipt.name}, photographed`, () =>
        Effect.gen(function* () {
          yield* check(receipt, yield* Effect.promise(() => photographed(receipt, i)), "image/jpeg")
        })
      )
})
