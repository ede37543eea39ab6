/**
 * Measures what one corrected document teaches about the next ones of its seller.
 *
 *   node bench/teach.ts [--each 2] [--seed 1] [--language de] [--labels all|fewer] [--errors]
 *
 * Synthetic invoices of 26 layouts in 11 languages. Of every seller one document is corrected, by typing, as a person does;
 * then others of the same seller are read with and without what was learned. Every document is also read with the examples of
 * all other sellers, which must change nothing for the worse.
 */
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { fieldOf } from "../src/steps/extract/Field.ts"
import { variedFields, variedResults } from "../test/fixtures/varied/Expected.ts"
import { extracted, type Read, type Taught, taught } from "../test/fixtures/varied/Teaching.ts"
import { allVaried, makeVaried } from "../test/fixtures/varied/VariedInvoice.ts"
import { type FieldResult, report } from "./FieldScores.ts"
import { withFewerLabels } from "./Judgements.ts"

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}

/** With `--labels fewer`, two fifths of the labels that the rules know are taken away: documents use words that they do not know. */
const variant = option("labels", "all") === "fewer" ? 1 : 0
const fields = Object.entries(variedFields).map(([name, definition]) =>
  withFewerLabels(fieldOf(name, definition), variant)
)

const plain = ({ field }: FieldResult): boolean => field !== "lineItems"
const wrongOf = (results: ReadonlyArray<FieldResult>): number => results.filter(({ right }) => !right).length
const sureAndWrong = (results: ReadonlyArray<FieldResult>, from: number): number =>
  results.filter(({ evidence, right }) => !right && (evidence?.confidence ?? 0) >= from).length

const byFamily = (results: ReadonlyArray<FieldResult>) =>
  Map.groupBy(results, ({ file }) => file.split("-")[0] ?? "")

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const language = option("language", "")
  const each = Number(option("each", "2"))
  const sellers = allVaried(Number(option("seed", "1"))).filter(
    (one) => language === "" || one.language === language
  )
  const read = Effect.fnUntraced(function* (options: (typeof sellers)[number], issue: number) {
    const invoice = yield* Effect.promise(() => makeVaried({ ...options, issue }))
    return { invoice, document: yield* reader.read(invoice.bytes, { mimeType: "application/pdf" }) }
  })
  const learned: Array<{ readonly others: ReadonlyArray<Read>; readonly example: ReadonlyArray<Taught> }> = []
  for (const seller of sellers) {
    const example = yield* taught(yield* read(seller, 0), fields)
    const others = yield* Effect.forEach(
      Array.from({ length: each }, (_, i) => i + 1),
      (i) => read(seller, i)
    )
    learned.push({ example, others })
  }
  const all = learned.flatMap(({ example }) => example)
  const [before, after, strangers]: [Array<FieldResult>, Array<FieldResult>, Array<FieldResult>] = [
    [],
    [],
    []
  ]
  for (const { example, others } of learned) {
    const foreign = all.filter(({ id }) => !example.some((own) => own.id === id))
    for (const { document, invoice } of others) {
      const results = (examples: ReadonlyArray<Taught>) =>
        Effect.map(extracted(document, fields, examples), (found) =>
          variedResults(invoice, found).filter(plain)
        )
      before.push(...(yield* results([])))
      after.push(...(yield* results(all)))
      strangers.push(...(yield* results(foreign)))
    }
  }
  const compared = [
    ["rules alone", before],
    ["with the seller's example and all others", after],
    ["with the examples of other sellers only", strangers]
  ] as const
  for (const [name, results] of compared) {
    console.log(`\n${name}`)
    report(results, { errors: process.argv.includes("--errors") && results === after })
    console.log(
      `${wrongOf(results)} errors in ${results.length} values; sure and wrong: ` +
        `${sureAndWrong(results, 0.8)} from 0.8, ${sureAndWrong(results, 0.9)} from 0.9`
    )
  }
  const fewer = 1 - wrongOf(after) / Math.max(1, wrongOf(before))
  console.log(
    `\n${sellers.length} sellers, ${each} documents each: ${(100 * fewer).toFixed(1)} % fewer errors`
  )
  const worse = [...byFamily(before)].filter(
    ([family, results]) => wrongOf(byFamily(strangers).get(family) ?? []) > wrongOf(results)
  )
  console.log(
    `layouts that read worse with the examples of others: ${worse.map(([name]) => name).join(", ") || "none"}`
  )
})

await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
