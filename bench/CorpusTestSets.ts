import { readFileSync } from "node:fs"
import { Schema } from "effect"
import type { TestCase } from "../src/services/test-sets/TestSet.ts"

/** Which documents: rules and curves are made on `build` and only measured on `measure`. */
export type Half = "build" | "measure"

const Scalar = Schema.Union([Schema.String, Schema.Number, Schema.Null])
const Expected = Schema.Struct({
  fields: Schema.Record(Schema.String, Scalar),
  items: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Scalar))),
  aliases: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Scalar)))
})
type Expected = typeof Expected.Type
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    files: Schema.Array(
      Schema.Struct({ path: Schema.String, sha256: Schema.String, expected: Schema.Unknown })
    )
  })
)

const invoiceNames: Readonly<Record<string, string>> = {
  invoice_number: "invoiceNumber",
  date: "invoiceDate",
  due_date: "dueDate",
  vendor: "vendorName",
  currency: "currency",
  subtotal: "subtotal",
  tax: "taxAmount",
  total: "totalAmount"
}
const receiptNames: Readonly<Record<string, string>> = {
  vendor: "merchantName",
  date: "date",
  total: "totalAmount",
  currency: "currency"
}

/** Names are compared loosely: an addition or a letter that was misread does not make them wrong. */
const expectationOf = (key: string, values: ReadonlyArray<typeof Scalar.Type>) =>
  key === "vendor" ? { like: values.map(String) } : { anyOf: values }

/** The rows of a table without their descriptions, which say the same in many ways. */
const rowsOf = (items: NonNullable<Expected["items"]>) =>
  items.map((item) => {
    const row = { quantity: item["quantity"], unitPrice: item["unit_price"], amount: item["total"] }
    return Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value === "number"))
  })

const expectOf = ({ aliases, fields, items }: Expected, names: Readonly<Record<string, string>>) => {
  const known = Object.entries(fields).flatMap(([key, value]) => {
    const name = names[key]
    return name === undefined || value === null
      ? []
      : [[name, expectationOf(key, [value, ...(aliases?.[key] ?? [])])] as const]
  })
  const rows = items === undefined || names !== invoiceNames ? [] : [["lineItems", rowsOf(items)] as const]
  return Object.fromEntries([...known, ...rows])
}

/** The invoices or receipts of the corpus as cases of a test set, by the first digit of their hash. */
export const corpusCases = (corpus: string, flow: string, half: Half): ReadonlyArray<TestCase> => {
  const names = flow === "receipt" ? receiptNames : invoiceNames
  return Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8"))
    .files.filter(({ path }) => path.startsWith(`${flow}s/`))
    .filter(({ sha256 }) => parseInt(sha256.slice(0, 1), 16) < 8 === (half === "build"))
    .toSorted((a, b) => a.path.localeCompare(b.path))
    .map(({ expected, path }) => ({
      document: corpus + path,
      expect: expectOf(Schema.decodeUnknownSync(Expected)(expected), names)
    }))
}
