import { Effect } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { fieldOf } from "../src/extraction/lexicon/Field.ts"
import { variedFields, variedRelations, variedResults } from "../test/fixtures/varied/Expected.ts"
import type { Asked, Checked, CheckedValue } from "../test/fixtures/varied/Teaching.ts"
import { allVaried, makeVaried } from "../test/fixtures/varied/VariedInvoice.ts"
import { examplesOf } from "./Examples.ts"
import { documentsOfSellers } from "./generator/OneSeller.ts"
import { isRight } from "./Judgements.ts"
import { shippedFields } from "./ShippedFlow.ts"

/** Documents of one layout, of which some are corrected. */
export interface TaughtFamily {
  readonly name: string
  readonly group: string
  readonly asked: Asked
  readonly documents: ReadonlyArray<Checked>
}

interface Answered {
  readonly name: string
  readonly document: Checked["document"]
  readonly truth: Readonly<Record<string, ReadonlyArray<unknown>>>
}

const checkedOf = ({ document, name, truth }: Answered): Checked => ({
  name,
  document,
  results: (found) =>
    Object.entries(truth).map(([field, truths]): CheckedValue => ({
      field,
      right: isRight(field, found[field]?.value, truths),
      evidence: found[field],
      truth: truths[0]
    }))
})

const asked = {
  invoice: shippedFields("invoice"),
  receipt: shippedFields("receipt"),
  varied: {
    fields: Object.entries(variedFields).map(([name, definition]) => fieldOf(name, definition)),
    relations: variedRelations
  }
}

const nameOf = ({ family, language }: ReturnType<typeof allVaried>[number]) => `${family.name}-${language}`

/** Invoices of sellers in 26 layouts and 11 languages, drawn as PDFs. */
const variedSellers = Effect.fnUntraced(function* (each: number, seed: number, only: RegExp) {
  const reader = yield* DocumentReader
  const sellers = allVaried(seed).filter((seller) => only.test(nameOf(seller)))
  return yield* Effect.forEach(sellers, (seller) =>
    Effect.map(
      Effect.forEach(
        Array.from({ length: each + 1 }, (_, issue) => issue),
        Effect.fnUntraced(function* (issue: number) {
          const invoice = yield* Effect.promise(() => makeVaried({ ...seller, issue }))
          const document = yield* reader.read(invoice.bytes, { mimeType: "application/pdf" })
          const results: Checked["results"] = (found) =>
            variedResults(invoice, found).filter(({ field }) => field !== "lineItems")
          return { name: invoice.name, document, results }
        })
      ),
      (documents): TaughtFamily => ({
        name: nameOf(seller),
        group: "drawn invoices",
        asked: asked.varied,
        documents
      })
    )
  )
})

/** Invoices and receipts of generated sellers; every seed has sellers of its own. */
const generatedSellers = (each: number, seed: number): ReadonlyArray<TaughtFamily> =>
  (["invoice", "receipt"] as const).flatMap((flow) =>
    documentsOfSellers(flow, flow === "invoice" ? 120 : 60, each + 1, 1000 * (seed - 1)).map(
      (documents, seller) => ({
        name: `${flow}-of-${seller}`,
        group: `generated ${flow}s`,
        asked: asked[flow],
        documents: documents.map(checkedOf)
      })
    )
  )

/** Invoices and receipts of the corpus of which there are several of one supplier. */
const corpusSuppliers = Effect.gen(function* () {
  const examples = (yield* examplesOf(["open"])).filter(
    // Scans and photographs of documents that are there as files, too: nothing is learned twice from one document.
    ({ family, name }) => !family.startsWith("form ") && !/\.(?:scan|photo)\./u.test(name)
  )
  // Files of one standard's collection are of several suppliers.
  const supplierOf = ({ family, truth }: (typeof examples)[number]): string =>
    `${family}, ${String((truth["vendorName"] ?? truth["merchantName"])?.[0])}`
  return [...Map.groupBy(examples, supplierOf)].flatMap(([name, own]): ReadonlyArray<TaughtFamily> => {
    const [first] = own
    if (first === undefined || own.length < 2) return []
    return [{ name, group: `corpus ${first.flow}s`, asked: asked[first.flow], documents: own.map(checkedOf) }]
  })
})

/** The families of some groups, `drawn`, `generated`, `corpus`, whose names match `only`. */
export const taughtFamilies = Effect.fnUntraced(function* (options: {
  readonly groups: ReadonlyArray<string>
  readonly each: number
  readonly seed: number
  readonly only: RegExp
}) {
  const { each, groups, only, seed } = options
  return [
    ...(groups.includes("corpus") ? yield* corpusSuppliers : []),
    ...(groups.includes("generated") ? generatedSellers(each, seed) : []),
    ...(groups.includes("drawn") ? yield* variedSellers(each, seed, only) : [])
  ].filter(({ name }) => only.test(name))
})
