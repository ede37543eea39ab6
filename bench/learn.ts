/**
 * Grows the trees of confidence, and measures them on issuers left out.
 *
 *   pip install -r bench/requirements.txt
 *   node bench/learn.ts [--write] [--ablate] [--kept]
 *
 * This program reads the documents and observes each value with its features; `learn.py` grows the trees with LightGBM. The
 * rules know nearly all words of the documents, so each is also read with two fifths of the labels taken away, and generated
 * ones with fields as authors write them. `--kept` uses the observations of the last run.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { Effect } from "effect"
import { confidenceKind, hasConfidenceTrees } from "../src/extraction/models/ConfidenceTrees.ts"
import { leastFit } from "../src/extraction/kinds/DocumentKind.ts"
import { limitsOf } from "../src/extraction/features/Confidence.ts"
import { cachedReader, readFolder } from "./CachedReader.ts"
import { examplesOf } from "./Examples.ts"
import { observe, type Variant } from "./Judgements.ts"

const folder = `${readFolder}/../observed`
const sets = ["pages", "written", "anecdotes", "third", "second", "generated"] as const
const variantsOf = (set: (typeof sets)[number]): ReadonlyArray<Variant> =>
  set === "generated" ? [0, 1, "own"] : [0, 1]

const program = Effect.gen(function* () {
  mkdirSync(folder, { recursive: true })
  for (const set of sets) {
    const file = `${folder}/${set}.json`
    if (process.argv.includes("--kept") && existsSync(file)) continue
    const values = []
    for (const example of yield* examplesOf([set]))
      for (const variant of variantsOf(set))
        for (const { confidence, features, field, right } of yield* observe(example, variant)) {
          if (!hasConfidenceTrees(field)) continue
          values.push({
            set,
            kind: confidenceKind(field),
            family: example.family,
            isPlain: variant === 0,
            // Values of documents of another kind are never sure.
            fits: (features.misfit ?? 0) <= 1 - leastFit,
            isReal: example.source === "third" || example.source === "second",
            features,
            right,
            confidence,
            limits: limitsOf(field, features)
          })
        }
    writeFileSync(file, JSON.stringify(values))
  }
})

await Effect.runPromise(program.pipe(Effect.provide(cachedReader(readFolder, ["auto"]))))
const target = new URL("../src/extraction/models/confidence.json", import.meta.url).pathname
const options = process.argv.slice(2).filter((option) => option !== "--kept")
const script = new URL("learn.py", import.meta.url).pathname
process.exitCode =
  spawnSync("python3", [script, folder, target, ...options], { stdio: "inherit" }).status ?? 1
