import { hash } from "node:crypto"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { DocumentIR } from "../src/domain/DocumentIR.ts"
import { syntheticReceipts, photographed, receiptPdf } from "../test/fixtures/SyntheticReceipts.ts"
import { variedData } from "../test/fixtures/varied/VariedData.ts"
import { allVaried, makeVaried } from "../test/fixtures/varied/VariedInvoice.ts"
import { corpusCases } from "./CorpusTestSets.ts"
import { expectOf } from "./SyntheticInvoices.ts"
import { generatedDocuments } from "./generator/Generated.ts"

/** A document with what it says, for fitting and judging. */
export interface Example {
  readonly name: string
  /** Documents of one layout: those of one company, template or generator's family. Never on both sides of a split. */
  readonly family: string
  readonly flow: "invoice" | "receipt"
  readonly source: "corpus" | "synthetic" | "generated" | "unseen" | "second"
  readonly document: DocumentIR
  /** Right answers by field; an empty list where the field must stay empty. */
  readonly truth: Readonly<Record<string, ReadonlyArray<unknown>>>
}

const Kept = Schema.fromJsonString(DocumentIR)

/** Reads a document once, and keeps what was read in a folder: recognition takes longer than all that is measured. */
const readKept = Effect.fnUntraced(function* (
  folder: string,
  bytes: () => Promise<Uint8Array>,
  mimeType: string,
  key: string
) {
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${hash("sha256", key)}.json`
  if (existsSync(file)) return yield* Schema.decodeEffect(Kept)(readFileSync(file, "utf8"))
  const document = yield* (yield* DocumentReader).read(yield* Effect.promise(bytes), { mimeType })
  writeFileSync(file, JSON.stringify(document))
  return document
})

const types: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  jpg: "image/jpeg",
  png: "image/png"
}
const typeOf = (path: string): string => types[path.split(".").at(-1) ?? ""] ?? "application/pdf"

/** What a test set expects, as lists of right answers. */
export const answersOf = (
  expected: Readonly<Record<string, unknown>>
): Record<string, ReadonlyArray<unknown>> =>
  Object.fromEntries(
    Object.entries(expected).flatMap(([field, value]) => {
      if (Array.isArray(value)) return []
      if (value === null) return [[field, []]]
      if (typeof value !== "object") return [[field, [value]]]
      const { anyOf, like } = Schema.decodeUnknownSync(Answers)(value)
      return [[field, anyOf ?? (like === undefined ? [] : [like].flat())]]
    })
  )
const Answers = Schema.Struct({
  anyOf: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  like: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))
})

interface Planned extends Omit<Example, "document"> {
  readonly bytes: () => Promise<Uint8Array>
  readonly mimeType: string
  readonly key: string
}

/** The template of a corpus file: its company or producer, by its name; receipts by the first words of the shop. */
const familyOf = (flow: string, path: string, truth: Example["truth"]): string => {
  const name = (path.split("/").at(-1) ?? "").replace(/\..*$/u, "")
  if (flow === "receipt")
    return `receipt ${String(truth["merchantName"]?.[0]).split(" ").slice(0, 2).join(" ")}`
  const template = /^zug-v[12]/u.test(name)
    ? "zug-v"
    : name.replace(/\d+$/u, "").replace(/^(zug-fr|zug-mustang).*/u, "$1")
  return `invoice ${template.startsWith("azure") ? name : template}`
}

const ofCorpus = (corpus: string): ReadonlyArray<Planned> =>
  (["invoice", "receipt"] as const).flatMap((flow) =>
    (["build", "measure"] as const).flatMap((half) =>
      corpusCases(corpus, flow, half).map(({ document, expect }): Planned => {
        const truth = answersOf(expect ?? {})
        return {
          name: document.split("/").at(-1) ?? "",
          family: familyOf(flow, document, truth),
          flow,
          source: "corpus",
          truth,
          bytes: () => Promise.resolve(readFileSync(document)),
          mimeType: typeOf(document),
          key: hash("sha256", readFileSync(document))
        }
      })
    )
  )

const emptyInvoice = {
  invoiceNumber: [],
  invoiceDate: [],
  dueDate: [],
  vendorName: [],
  subtotal: [],
  taxAmount: [],
  totalAmount: []
}

/** Statements, payslips and other forms of the corpus, as invoices: every value that is found in them is wrong. */
const forms = (corpus: string): ReadonlyArray<Planned> =>
  readdirSync(`${corpus}forms`)
    .filter((file) => file.endsWith(".pdf"))
    .map((file): Planned => {
      const bytes = readFileSync(`${corpus}forms/${file}`)
      return {
        name: file,
        family: `form ${file}`,
        flow: "invoice",
        source: "corpus",
        truth: emptyInvoice,
        bytes: () => Promise.resolve(bytes),
        mimeType: typeOf(file),
        key: hash("sha256", bytes)
      }
    })

const invoices = (): ReadonlyArray<Planned> =>
  allVaried(1).map((options): Planned => {
    const made = () => makeVaried(options)
    return {
      name: `${options.family.name}-${options.language}`,
      family: `synthetic invoice ${options.family.name}`,
      flow: "invoice",
      source: "synthetic",
      truth: answersOf(expectOf(variedData(options.family, options.language, options.seed))),
      bytes: async () => (await made()).bytes,
      mimeType: "application/pdf",
      key: `varied 1 ${options.family.name} ${options.language}`
    }
  })

const receipts = (): ReadonlyArray<Planned> =>
  syntheticReceipts(56).flatMap((receipt, i) =>
    (["pdf", "jpg"] as const).map((format): Planned => {
      const { currency, date, total, vendor } = receipt.expected
      return {
        name: `${receipt.name}.${format}`,
        family: `synthetic receipt ${receipt.name.split("-").slice(0, 2).join("-")}`,
        flow: "receipt",
        source: "synthetic",
        truth: { merchantName: [vendor], date: [date], totalAmount: [total], currency: [currency] },
        bytes: () => (format === "pdf" ? receiptPdf(receipt) : photographed(receipt, i)),
        mimeType: typeOf(format),
        key: `receipt ${receipt.name} ${format}`
      }
    })
  )

const Truth = Schema.fromJsonString(
  Schema.Struct({
    flow: Schema.Literals(["invoice", "receipt"]),
    expect: Schema.Record(Schema.String, Schema.Unknown)
  })
)

/** Pages of `bench/unseen` or its folder `second`, printed by Chromium: written to judge with, and never to fit on. */
const unseen = (folder: string, source: "unseen" | "second"): ReadonlyArray<Planned> => {
  const pages = new URL(source === "unseen" ? "./unseen/" : "./unseen/second/", import.meta.url).pathname
  return readdirSync(pages)
    .filter((file) => file.endsWith(".html"))
    .map((file): Planned => {
      const html = readFileSync(pages + file, "utf8")
      const [, json = ""] = /<script type="application\/json" id="truth">(.*?)<\/script>/su.exec(html) ?? []
      const { expect, flow } = Schema.decodeUnknownSync(Truth)(json)
      const name = file.replace(".html", "")
      return {
        name,
        family: `${source} ${name}`,
        flow,
        source,
        truth: answersOf(expect),
        bytes: async () => {
          const target = `${folder}/${name}.pdf`
          const chromium = process.env["CHROMIUM"] ?? "chromium"
          execFileSync(
            chromium,
            [
              "--headless",
              "--no-sandbox",
              "--no-pdf-header-footer",
              `--print-to-pdf=${target}`,
              pages + file
            ],
            { stdio: "ignore" }
          )
          return Promise.resolve(readFileSync(target))
        },
        mimeType: "application/pdf",
        key: html
      }
    })
}

const generated = (): ReadonlyArray<Example> =>
  generatedDocuments({ invoices: 240, receipts: 90, others: 42, each: 2 }).map(
    ({ document, family, flow, name, truth }) => ({
      name,
      family,
      flow,
      document,
      truth,
      source: "generated"
    })
  )

/** All examples of some sources, their readings kept in `folder`. */
export const examplesOf = Effect.fnUntraced(function* (
  sources: ReadonlyArray<Example["source"]>,
  folder: string,
  corpus: string
) {
  const planned = [
    ...(sources.includes("corpus") ? [...ofCorpus(corpus), ...forms(corpus)] : []),
    ...(sources.includes("synthetic") ? [...invoices(), ...receipts()] : []),
    ...(sources.includes("unseen") ? unseen(folder, "unseen") : []),
    ...(sources.includes("second") ? unseen(folder, "second") : [])
  ]
  // Pictures last: the rest need not wait for their recognition.
  const inOrder = planned.toSorted(
    (a, b) => Number(a.mimeType.startsWith("image")) - Number(b.mimeType.startsWith("image"))
  )
  const read = yield* Effect.forEach(inOrder, ({ bytes, key, mimeType, ...example }) =>
    readKept(folder, bytes, mimeType, key).pipe(
      Effect.map((document): ReadonlyArray<Example> => [{ ...example, document }]),
      Effect.catch(({ message }) =>
        Effect.as(
          Effect.sync(() => console.error(`${example.name}: ${message}`)),
          []
        )
      )
    )
  )
  return [...read.flat(), ...(sources.includes("generated") ? generated() : [])]
})
