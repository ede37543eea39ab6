/**
 * Measures the presets of invoices on synthetic invoices: 26 layouts in 11 languages.
 *
 *   node bench/layouts.ts [--half build|measure|all] [--seed 1] [--family letter] [--language de] [--errors]
 *
 * Rules are built on one half of the layouts (by the hash of layout and language) and only measured on the other.
 */
import { hash } from "node:crypto"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { fieldOf } from "../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../src/extraction/rules/Rules.ts"
import { variedFields, variedRelations, variedResults } from "../test/fixtures/varied/Expected.ts"
import { allVaried, makeVaried } from "../test/fixtures/varied/VariedInvoice.ts"
import { report } from "./FieldScores.ts"

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}

const half = option("half", "all")
const [onlyFamily, onlyLanguage] = [option("family", ""), option("language", "")]
const isBuilt = (family: string, language: string): boolean =>
  parseInt(hash("sha256", `${family} ${language}`).slice(0, 1), 16) < 8

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const fields = Object.entries(variedFields).map(([name, definition]) => fieldOf(name, definition))
  const chosen = allVaried(Number(option("seed", "1"))).filter(
    ({ family, language }) =>
      (half === "all" || isBuilt(family.name, language) === (half === "build")) &&
      (onlyFamily === "" || family.name === onlyFamily) &&
      (onlyLanguage === "" || language === onlyLanguage)
  )
  let milliseconds = 0
  const results = yield* Effect.forEach(chosen, (options) =>
    Effect.gen(function* () {
      const invoice = yield* Effect.promise(() => makeVaried(options))
      const document = yield* reader.read(invoice.bytes, { mimeType: "application/pdf" })
      const start = performance.now()
      const found = yield* extractByRules(document, { fields, relations: variedRelations })
      milliseconds += performance.now() - start
      return variedResults(invoice, found)
    })
  )
  console.log(
    `${chosen.length} synthetic invoices, ${half}: ${(milliseconds / chosen.length).toFixed(1)} ms each`
  )
  report(results.flat(), {
    errors: process.argv.includes("--errors"),
    by: ({ file }) => file.split("-")[0] ?? ""
  })
})

await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
