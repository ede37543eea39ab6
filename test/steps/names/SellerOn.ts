import { Effect } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"

const fields = [fieldOf("vendorName", { preset: "invoice.vendorName" })]

/** The name of the seller that the rules find on a page. */
export const sellerOn = (page: DocumentIR) =>
  Effect.map(extractByRules(page, { fields, relations: [] }), ({ vendorName }) => vendorName?.value)
