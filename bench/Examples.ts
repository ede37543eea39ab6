import { existsSync } from "node:fs"
import { Effect } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { detectType } from "../src/document/formats/Formats.ts"
import { syntheticReceipts, photographed, receiptPdf } from "../test/fixtures/SyntheticReceipts.ts"
import { variedData } from "../test/fixtures/varied/VariedData.ts"
import { allVaried, makeVaried } from "../test/fixtures/varied/VariedInvoice.ts"
import { electronicExamples, labelledExamples, openExamples, pageExamples } from "./CorpusExamples.ts"
import { captured, type Capture } from "./Degraded.ts"
import { answersOf, type Example, type Planned, type Source } from "./Example.ts"
import { generatedDocuments } from "./generator/Generated.ts"
import { expectOf } from "./SyntheticInvoices.ts"

const syntheticInvoices = (): ReadonlyArray<Planned> =>
  allVaried(1).map((options): Planned => ({
    name: `${options.family.name}-${options.language}`,
    family: `synthetic invoice ${options.family.name}`,
    flow: "invoice",
    source: "synthetic",
    real: false,
    truth: answersOf(expectOf(variedData(options.family, options.language, options.seed))),
    bytes: async () => (await makeVaried(options)).bytes,
    isPicture: false
  }))

const syntheticReceiptsOf = (): ReadonlyArray<Planned> =>
  syntheticReceipts(56).flatMap((receipt, i) =>
    (["pdf", "jpg"] as const).map((format): Planned => {
      const { currency, date, total, vendor } = receipt.expected
      return {
        name: `${receipt.name}.${format}`,
        family: `synthetic receipt ${receipt.name.split("-").slice(0, 2).join("-")}`,
        flow: "receipt",
        source: "synthetic",
        real: false,
        truth: { merchantName: [vendor], date: [date], totalAmount: [total], currency: [currency] },
        bytes: () => (format === "pdf" ? receiptPdf(receipt) : photographed(receipt, i)),
        isPicture: format === "jpg"
      }
    })
  )

const generated = (): ReadonlyArray<Example> =>
  generatedDocuments({ invoices: 240, receipts: 90, others: 42, each: 2 }).map(
    ({ document, family, flow, name, truth }) => ({
      name,
      family,
      flow,
      document,
      truth,
      source: "generated",
      isPicture: false,
      real: false
    })
  )

const ownPages = new URL("./pages", import.meta.url).pathname

const plan = (source: Source, corpus: string): ReadonlyArray<Planned> => {
  switch (source) {
    case "open":
      return openExamples(corpus)
    case "second":
    case "third":
      return labelledExamples(corpus, source)
    case "pages":
      return pageExamples(source, `${corpus}/pages`)
    case "written":
      return pageExamples(
        source,
        ...["first", "second", "third", "fifth", "sixth", "seventh"].map((name) => `${ownPages}/${name}`)
      )
    case "anecdotes":
      return pageExamples(source, `${ownPages}/fourth`)
    case "einvoices":
      return electronicExamples(corpus)
    case "synthetic":
      return [...syntheticInvoices(), ...syntheticReceiptsOf()]
    case "generated":
      return []
  }
}

/** A page as a scanner or a telephone delivers it. */
const captureOf = (planned: Planned, as: Capture): Planned =>
  as === "pdf"
    ? planned
    : {
        ...planned,
        isPicture: true,
        bytes: async () => (await captured(await planned.bytes(), as, planned.name)).bytes
      }

const isPage = (source: Source): boolean =>
  source === "pages" || source === "written" || source === "anecdotes"

/** HTML pages have every capture, receipts alone that of a telephone; documents that are files stay as they are. */
const hasCapture = ({ flow, source }: Planned, as: Capture): boolean =>
  as === "pdf" || (isPage(source) && (as !== "photo" || flow === "receipt"))

/** The folder of the corpus (`DOCFLOW_CORPUS`). */
export const corpusFolder = (
  process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus", import.meta.url).pathname
).replace(/\/$/u, "")

const isOwn = (source: Source): boolean =>
  source === "written" || source === "anecdotes" || source === "synthetic"

/** All examples of some sources in one capture. A file that cannot be read is reported and left out. */
export const examplesOf = Effect.fnUntraced(function* (
  wanted: ReadonlyArray<Source>,
  as: Capture = "pdf",
  corpus: string = corpusFolder
) {
  const reader = yield* DocumentReader
  const planned = wanted
    .filter((source) => isOwn(source) || existsSync(`${corpus}/${source}`))
    .flatMap((source) => plan(source, corpus))
    .filter((one) => hasCapture(one, as))
    .map((one) => captureOf(one, as))
  // Pictures last: the rest need not wait for their recognition.
  const inOrder = planned.toSorted((a, b) => Number(a.isPicture) - Number(b.isPicture))
  const read = yield* Effect.forEach(inOrder, ({ bytes, ...example }) =>
    Effect.gen(function* () {
      const content = yield* Effect.promise(bytes)
      const mimeType = (yield* Effect.promise(() => detectType(content))) ?? ""
      return yield* reader.read(content, { mimeType })
    }).pipe(
      Effect.map((document): ReadonlyArray<Example> => [{ ...example, document }]),
      Effect.catch(({ message }) =>
        Effect.as(
          Effect.sync(() => console.error(`${example.source}/${example.name}: ${message}`)),
          []
        )
      )
    )
  )
  return [...read.flat(), ...(wanted.includes("generated") && as === "pdf" ? generated() : [])]
})
