import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import type { TestCase } from "../src/services/test-sets/TestSet.ts"
import { syntheticReceipts, photographed } from "../test/fixtures/SyntheticReceipts.ts"
import type { Half } from "./CorpusTestSets.ts"

/** Photographs of synthetic receipts, written into a folder, as cases of a test set: those of a half of a number. */
export const syntheticReceiptCases = async (
  folder: string,
  half: Half,
  among: number
): Promise<ReadonlyArray<TestCase>> => {
  const cases: Array<TestCase> = []
  for (const [i, receipt] of syntheticReceipts(among).entries()) {
    const isBuilt = parseInt(hash("sha256", receipt.name).slice(0, 8), 16) % 2 === 0
    if (isBuilt !== (half === "build")) continue
    const document = `${folder}/${receipt.name}.jpg`
    writeFileSync(document, await photographed(receipt, i))
    const { currency, date, total, vendor } = receipt.expected
    cases.push({ document, expect: { merchantName: { like: vendor }, date, totalAmount: total, currency } })
  }
  return cases
}
