/**
 * Fits the weights that confidences are made of, and measures them by leaving families of layouts out.
 *
 *   node bench/learn.ts [--write] [--ablate]
 *
 * Learned on the synthetic documents and the families of the corpus that are not held out (by the hash of their name). The
 * rules know nearly all words of these documents; so each is also read with two fifths of the labels taken away, as a
 * document with other words would be. Forms that are no invoices count as documents of which every value is wrong.
 */
import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import {
  areaUnderCurve,
  atThreshold,
  brierScore,
  type Judged,
  reliability
} from "../src/services/calibration/Reliability.ts"
import { confidenceKind } from "../src/extraction/models/ConfidenceWeights.ts"
import type { Features } from "../src/extraction/Features.ts"
import { scoreOf, type Weights } from "../src/extraction/models/Scoring.ts"
import type { Example } from "./Example.ts"
import { examplesOf } from "./Examples.ts"
import { cachedReader, readFolder } from "./CachedReader.ts"
import { bucket, isHeldOut } from "./Families.ts"
import { observe } from "./Judgements.ts"
import { fit, lossOf, type Observed, shifted } from "./Logistic.ts"

/**
 * What share of the values docflow is right about on documents that nobody has seen: those that
 * are fitted on are read better.
 */
const expectedAccuracy = (kind: string): number =>
  kind === "merchant" || kind === "pointOfSale" ? 0.87 : 0.86
const folds = 12
const ridge = 4
const familyWeight = 12

interface Value extends Observed {
  readonly kind: string
  readonly family: string
  readonly source: Example["source"]
}

const priorWeights: Weights = { bias: 0, features: { prior: 1 } }

const namesOf = (values: ReadonlyArray<Value>): ReadonlyArray<string> =>
  [...new Set(values.flatMap(({ features }) => Object.keys(features)))].toSorted()

/** Number of values that a family counts for at most, however many documents it has. */
const balanced = (values: ReadonlyArray<Value>): ReadonlyArray<Value> => {
  const sizes = Map.groupBy(values, ({ family, kind }) => `${family} ${kind}`)
  return values.map((value) => {
    const size = sizes.get(`${value.family} ${value.kind}`)?.length ?? 1
    return Object.assign({}, value, { weight: Math.min(1, familyWeight / size) })
  })
}

/** Weights for all kinds together, and from those the weights of each. */
const fitAll = (values: ReadonlyArray<Value>, names: ReadonlyArray<string>): ReadonlyMap<string, Weights> => {
  const general = fit(values, names, priorWeights, ridge)
  return new Map(
    [...Map.groupBy(values, ({ kind }) => kind)].map(([kind, own]) => [
      kind,
      shifted(fit(own, names, general, ridge), own, expectedAccuracy(kind))
    ])
  )
}

/** The confidence of each value by weights that never saw its family. */
const crossValidated = (values: ReadonlyArray<Value>, names: ReadonlyArray<string>) =>
  Array.from({ length: folds }, (_, fold) => {
    const [inside, outside] = [
      values.filter(({ family }) => bucket(family, folds) !== fold),
      values.filter(({ family }) => bucket(family, folds) === fold)
    ]
    const weights = fitAll(inside, names)
    return outside.map((value) => {
      const own = weights.get(value.kind) ?? priorWeights
      return { value, confidence: scoreOf(own, value.features), loss: lossOf(own, [value]) }
    })
  }).flat()

const show = (name: string, judged: ReadonlyArray<Judged>): void => {
  const { share, values, wrong } = atThreshold(judged, 0.9)
  const right = judged.filter((one) => one.right).length
  console.log(
    `${name.padEnd(34)} ${String(judged.length).padStart(5)} values, ${((100 * right) / judged.length).toFixed(1)} % right; ` +
      `sure ${(100 * share).toFixed(0)} %, wrong among them ${wrong}/${values}; Brier ${brierScore(judged).toFixed(3)}, AUC ${areaUnderCurve(judged)?.toFixed(3) ?? "–"}`
  )
}

const rounded = (features: Features): Features =>
  Object.fromEntries(Object.entries(features).map(([name, value]) => [name, Math.round(value * 1000) / 1000]))

const program = Effect.gen(function* () {
  const examples = yield* examplesOf(["open", "synthetic", "generated", "written"])
  const values: Array<Value> = []
  for (const example of examples) {
    const variants = isHeldOut(example) ? [0] : [0, 1, 2]
    for (const without of variants)
      for (const { features, field, right } of yield* observe(example, without))
        values.push({
          features,
          right,
          weight: 1,
          kind: confidenceKind(field),
          family: example.family,
          source: example.source
        })
  }
  const learned = balanced(values.filter((value) => !isHeldOut(value)))
  const held = values.filter(isHeldOut)
  const names = namesOf(learned)
  const judged = crossValidated(learned, names)
  console.log(`${examples.length} documents, ${new Set(learned.map(({ family }) => family)).size} families\n`)
  console.log("Families left out of their own fit:")
  for (const [kind, group] of Map.groupBy(judged, ({ value }) => value.kind))
    show(
      kind,
      group.map(({ confidence, value: { right } }) => ({ confidence, right }))
    )
  const all = judged.map(({ confidence, value: { right } }) => ({ confidence, right }))
  show("all", all)
  for (const { confidence, from, right, values: count } of reliability(all))
    console.log(
      `  | ${from.toFixed(1)}–${(from + 0.1).toFixed(1)} | ${count} | ${(100 * confidence).toFixed(1)} % | ${(100 * right).toFixed(1)} % |`
    )
  const weights = fitAll(learned, names)
  const of = ({ features, kind }: Value): number => scoreOf(weights.get(kind) ?? priorWeights, features)
  console.log("\nHeld out, never fitted on:")
  for (const [source, group] of Map.groupBy(held, ({ kind, source }) => `${source}, ${kind}`))
    show(
      source,
      group.map((value) => ({ confidence: of(value), right: value.right }))
    )
  show(
    "all held out",
    held.map((value) => ({ confidence: of(value), right: value.right }))
  )
  if (process.argv.includes("--ablate")) {
    const loss = (features: ReadonlyArray<string>) =>
      crossValidated(learned, features).reduce((sum, { loss: one }) => sum + one, 0)
    const full = loss(names)
    console.log(`\nAblation: log loss ${full.toFixed(1)} with all features; more without`)
    const without = names.map((name) => ({
      name,
      more: loss(names.filter((other) => other !== name)) - full
    }))
    for (const { more, name } of without.toSorted((a, b) => b.more - a.more))
      console.log(`  ${name.padEnd(16)} ${more.toFixed(1)}`)
  }
  if (!process.argv.includes("--write")) return
  const kinds = Object.fromEntries(
    [...weights]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([kind, { bias, features }]) => [
        kind,
        { bias: Math.round(bias * 1000) / 1000, features: rounded(features) }
      ])
  )
  const target = new URL("../src/extraction/models/confidence.json", import.meta.url)
  writeFileSync(target, `${JSON.stringify({ kinds }, undefined, 2)}\n`)
})

await Effect.runPromise(program.pipe(Effect.provide(cachedReader(readFolder, ["auto"]))))
