import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import type { TestCase } from "../src/services/test-sets/TestSet.ts"
import { allVaried, makeVaried } from "../test/fixtures/varied/VariedInvoice.ts"
import type { VariedData } from "../test/fixtures/varied/VariedData.ts"
import type { Half } from "./CorpusTestSets.ts"

/** What a test set expects of a synthetic invoice. */
export const expectOf = (data: VariedData): NonNullable<TestCase["expect"]> => {
  const { currency, due, family, issued, lines, net, number, seller, subtotal, tax, total } = data
  const isTaxed = family.tax !== "none"
  return {
    documentType: family.extras.includes("credit") ? "credit-note" : "invoice",
    invoiceNumber: number,
    invoiceDate: issued,
    dueDate: due,
    vendorName: { like: seller.name },
    currency,
    totalAmount: total / 100,
    // Where both are on the page, the sum of the goods and the sum before tax, either is right.
    ...(isTaxed ? { subtotal: { anyOf: [subtotal / 100, net / 100] } } : {}),
    ...(isTaxed && family.tax !== "reverse" ? { taxAmount: tax / 100 } : {}),
    lineItems: lines.map(({ amount }) => ({ amount: amount / 100 }))
  }
}

const isBuilt = (family: string, language: string): boolean =>
  parseInt(hash("sha256", `${family} ${language}`).slice(0, 1), 16) < 8

/** Synthetic invoices, written into a folder, as cases of a test set: up to a number, of all layouts and languages of a half. */
export const syntheticCases = async (
  folder: string,
  half: Half,
  most: number
): Promise<ReadonlyArray<TestCase>> => {
  const chosen = allVaried(1)
    .filter(({ family, language }) => isBuilt(family.name, language) === (half === "build"))
    .map((options) => ({ options, order: hash("sha256", `${options.family.name}/${options.language}`) }))
    .toSorted((a, b) => a.order.localeCompare(b.order))
    .slice(0, most)
  const cases: Array<TestCase> = []
  for (const { options } of chosen) {
    const { bytes, data, name } = await makeVaried(options)
    const document = `${folder}/${name}.pdf`
    writeFileSync(document, bytes)
    cases.push({ document, expect: expectOf(data) })
  }
  return cases
}
