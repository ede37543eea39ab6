/**
 * Judges the rules on examples of all kinds: how many values are right, and how many of the sure ones wrong.
 *
 *   node bench/judge.ts [--sources corpus,synthetic,generated,unseen,second] [--errors | --sure] [--cache /tmp/docflow-examples]
 *
 * `unseen` are pages written to judge with (`bench/unseen`), printed by Chromium: nothing is fitted on them.
 */
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { sureFrom } from "../src/domain/Evidence.ts"
import { examplesOf } from "./Examples.ts"
import { report } from "./FieldScores.ts"
import { judge } from "./Judgements.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname
const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const wanted = option("sources", "corpus,synthetic,unseen,second").split(",")
const sources = (["corpus", "synthetic", "generated", "unseen", "second"] as const).filter((source) =>
  wanted.includes(source)
)

const program = Effect.gen(function* () {
  const examples = yield* examplesOf(sources, option("cache", "/tmp/docflow-examples"), corpus)
  const judged = (yield* Effect.forEach(examples, judge)).flat()
  const groups = Map.groupBy(judged, ({ example: { document, flow, source } }) => {
    const recognised = document.pages.some((page) => page.source === "ocr")
    return `${source}, ${flow}s, ${recognised ? "recognised" : "born digital"}`
  })
  for (const [name, group] of groups) {
    console.log(`\n${name}: ${new Set(group.map(({ example }) => example)).size} documents`)
    const sureOnly = process.argv.includes("--sure")
    const results = group.map(({ evidence, example, field, right }) => ({
      file: example.name,
      field,
      right,
      evidence,
      truth: example.truth[field]
    }))
    report(results, { errors: process.argv.includes("--errors") })
    if (sureOnly)
      report(
        results.filter(({ evidence, right }) => !right && (evidence?.confidence ?? 0) >= sureFrom),
        { errors: true }
      )
  }
})

const reader = DocumentReader.layer.pipe(
  Layer.provide(OcrEngine.layer({ engine: "auto", languages: ["eng"] }))
)
await Effect.runPromise(program.pipe(Effect.provide(reader)))
