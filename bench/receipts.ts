/**
 * Measures how well the shipped `receipt` flow reads the receipts of the corpus, recognition included.
 *
 *   node bench/receipts.ts [--half build|measure|all] [--engine auto|fast|paddle|tesseract-js|tesseract] [--errors] [--most 60] [--cache /tmp/documents]
 *     [--synthetic 42] [--copies 3]
 *
 * With `--synthetic`, that number of synthetic receipts of seven countries is photographed and read instead of the corpus. With
 * `--copies`, each picture is read in that number of worse copies instead, so that there are enough errors to judge doubts by.
 * Rules are built on one half of the receipts (by the hash of the name) and only measured on the other.
 */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { syntheticReceipts, photographed } from "../test/fixtures/SyntheticReceipts.ts"
import type { FieldDefinition } from "../src/steps/extract/FieldDefinition.ts"
import { type FieldResult, report } from "./FieldScores.ts"
import { extractByRules } from "../src/steps/extract/Rules.ts"
import { cachedReader } from "./CachedReader.ts"
import { worseCopy } from "./Degraded.ts"
import { isAddress, isName } from "./LooseNames.ts"
import { shippedFields } from "./ShippedFlow.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname
const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}

/** A field that the truth has and the flow has not. */
const address: FieldDefinition = { preset: "receipt.address" }

const Manifest = Schema.fromJsonString(
  Schema.Struct({ files: Schema.Array(Schema.Struct({ path: Schema.String, expected: Schema.Unknown })) })
)
const Expected = Schema.Struct({
  fields: Schema.Struct({
    vendor: Schema.String,
    address: Schema.String,
    date: Schema.String,
    total: Schema.Number,
    currency: Schema.String
  })
})

interface Source {
  readonly path: string
  readonly bytes: () => Promise<Uint8Array>
  readonly expected: unknown
}

/** A number of synthetic receipts, or those of the corpus. */
const sourcesOf = (synthetic: number): ReadonlyArray<Source> =>
  synthetic > 0
    ? syntheticReceipts(synthetic).map((receipt, i) => ({
        path: receipt.name,
        bytes: () => photographed(receipt, i),
        expected: { fields: receipt.expected }
      }))
    : Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8"))
        .files.filter(({ path }) => path.startsWith("receipts/"))
        .map(({ path, expected }) => ({
          path,
          bytes: () => Promise.resolve(readFileSync(corpus + path)),
          expected
        }))

/** Worse copies of each picture, instead of the picture. */
const inCopies = (sources: ReadonlyArray<Source>, copies: number): ReadonlyArray<Source> =>
  copies === 0
    ? sources
    : sources.flatMap(({ bytes, expected, path }) =>
        Array.from({ length: copies }, (_, copy) => ({
          path,
          expected,
          bytes: async () => worseCopy(await bytes(), path, copy)
        }))
      )

const program = Effect.gen(function* () {
  const half = option("half", "all")
  const extracted = shippedFields("receipt", { address })
  const files = inCopies(sourcesOf(Number(option("synthetic", "0"))), Number(option("copies", "0")))
    .map((source) => Object.assign(source, { order: hash("sha256", source.path) }))
    .toSorted((a, b) => a.order.localeCompare(b.order))
    .filter(
      ({ order }) => half === "all" || (parseInt(order.slice(0, 8), 16) % 2 === 0) === (half === "build")
    )
    .slice(0, Number(option("most", "60")) * Math.max(1, Number(option("copies", "0"))))
  const documents = yield* DocumentReader
  const results = yield* Effect.forEach(
    files,
    Effect.fnUntraced(function* ({ bytes, path, expected }) {
      const truth = Schema.decodeUnknownSync(Expected)(expected).fields
      const document = yield* documents.read(yield* Effect.promise(bytes), { mimeType: "image/jpeg" })
      const found = yield* extractByRules(document, extracted)
      if (process.argv.includes("--text"))
        console.log(path, document.pages.map((page) => page.lines.map((line) => line.text).join("\n")).join())
      const checks = {
        merchantName: [isName(found["merchantName"]?.value, truth.vendor), truth.vendor],
        date: [found["date"]?.value === truth.date, truth.date],
        totalAmount: [Math.abs(Number(found["totalAmount"]?.value) - truth.total) < 0.006, truth.total],
        currency: [found["currency"]?.value === truth.currency, truth.currency],
        address: [isAddress(found["address"]?.value, truth.address), truth.address]
      } as const
      return Object.entries(checks).map(([field, [right, wanted]]): FieldResult => ({
        file: path,
        field,
        right,
        evidence: found[field],
        truth: wanted
      }))
    }),
    { concurrency: 2 }
  )
  console.log(`receipt fields, ${half}: ${files.length} receipts`)
  report(results.flat(), { errors: process.argv.includes("--errors") })
})

const engines = ["auto", "fast", "paddle", "tesseract-js", "tesseract"] as const
const engine = engines.find((name) => name === option("engine", "auto")) ?? "auto"
const folder = option("cache", "")
const reader = cachedReader(folder === "" ? undefined : folder, ["auto"], engine)
await Effect.runPromise(program.pipe(Effect.provide(reader)))
