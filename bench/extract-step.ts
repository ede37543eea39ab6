import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { CurrentLexicon } from "../src/steps/extract/lexicon/CurrentLexicon.ts"
import { fieldsOf } from "../src/steps/extract/FieldsOf.ts"
import { extractByRules } from "../src/steps/extract/Rules.ts"
import { shippedDefinitions } from "./ShippedFlow.ts"

/**
 * How long the rules of the shipped flow `invoice` take for a document that is read already, in one thread. The shortest of
 * many runs hardly depends on what else the machine does.
 *
 * `node bench/extract-step.ts [file]`
 */

const file = process.argv[2] ?? "examples/invoice.pdf"
const runs = 250
const cold = 100

const { fields, relations } = shippedDefinitions("invoice", "1.1.0")

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const lexicon = yield* CurrentLexicon
  const document = yield* reader.read(readFileSync(file), { mimeType: "application/pdf" })
  const times: Array<number> = []
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    yield* extractByRules(document, { fields: fieldsOf(fields, lexicon), relations })
    if (run >= cold) times.push(performance.now() - begun)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(2)
  console.log(`ms for the rules: shortest ${at(0)}, median ${at(0.5)}`)
})
await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
