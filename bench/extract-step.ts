import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { CurrentLexicon } from "../src/extraction/lexicon/CurrentLexicon.ts"
import { fieldsOf } from "../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../src/extraction/rules/Rules.ts"
import { shippedDefinitions } from "./ShippedFlow.ts"

/**
 * How long the rules of the shipped flow `invoice` take for a document that is read already, in one thread; of several documents,
 * which are read in turns, the mean. The shortest of many rounds hardly depends on what else the machine does.
 *
 * `node bench/extract-step.ts [files]`
 */

const given = process.argv.slice(2)
const files = given.length === 0 ? ["examples/invoice.pdf"] : given
const rounds = Math.max(24, Math.ceil(250 / files.length))
const cold = Math.floor(0.4 * rounds)

const { fields, relations } = shippedDefinitions("invoice")

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const lexicon = yield* CurrentLexicon
  const documents = yield* Effect.forEach(files, (file) =>
    reader.read(readFileSync(file), { mimeType: "application/pdf" })
  )
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    for (const document of documents)
      yield* extractByRules(document, { fields: fieldsOf(fields, lexicon), relations })
    if (round >= cold) times.push((performance.now() - begun) / documents.length)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(2)
  console.log(`ms for the rules of a document: shortest ${at(0)}, median ${at(0.5)}`)
})
await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
