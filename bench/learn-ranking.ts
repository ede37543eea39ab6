/**
 * Fits the weights that choose among the candidates of a field, and measures them by leaving families of layouts out.
 *
 *   node bench/learn-ranking.ts [--write] [--ablate] [--kinds seller,merchant]
 *
 * Learned on generated and synthetic documents and on the families of the corpus that are not held out; each document is
 * also read with two fifths of its labels taken away. The roles of blocks (`--kinds "seller block"` and so on) come first: the
 * ranking of names asks for them. `bench/learn.ts` grows the trees of confidence on top.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { Effect } from "effect"
import { roles } from "../src/extraction/layout/PageBlocks.ts"
import ranking from "../src/extraction/models/ranking.json" with { type: "json" }
import { logOddsOf, type Weights } from "../src/extraction/models/RankingWeights.ts"
import { cachedReader, readFolder } from "./CachedReader.ts"
import { blockLists } from "./BlockExamples.ts"
import { bucket, isHeldOut } from "./Families.ts"
import { examplesOf } from "./Examples.ts"
import { fit, type Observed } from "./Logistic.ts"
import { namePriors, nameRidge } from "./NamePriors.ts"
import { type CandidateList, candidateLists } from "./RankingExamples.ts"

const kindsAt = process.argv.indexOf("--kinds")
const wantedKinds = kindsAt < 0 ? undefined : process.argv[kindsAt + 1]?.split(",")
const knownKinds = [...Object.keys(ranking.kinds), ...roles.map((role) => `${role} block`)]
const unknownKind = wantedKinds?.find((kind) => !knownKinds.includes(kind))
if (unknownKind !== undefined) {
  console.error(`Unknown kind "${unknownKind}". The kinds are ${[...new Set(knownKinds)].join(", ")}`)
  process.exit(2)
}
const folds = 5
const ridge = 3
/** A family counts as so many lists of candidates at most. */
const familyWeight = 8
const handSet: Weights = { bias: 0, features: { product: 1 } }

const namesOf = (lists: ReadonlyArray<CandidateList>): ReadonlyArray<string> =>
  [
    ...new Set(lists.flatMap(({ candidates }) => candidates.flatMap(({ features }) => Object.keys(features))))
  ].toSorted()

const rowsOf = (lists: ReadonlyArray<CandidateList>): ReadonlyArray<Observed> => {
  const sizes = Map.groupBy(lists, ({ family }) => family)
  return lists.flatMap(({ candidates, family }) => {
    const weight = Math.min(1, familyWeight / (sizes.get(family)?.length ?? 1))
    return candidates.map(({ features, right }) => ({ features, right, weight }))
  })
}

/** The share of lists whose best candidate is right, or that have none above `least` where nothing is right. */
const accuracy = (
  lists: ReadonlyArray<CandidateList>,
  weights: Weights,
  least: number
): readonly [number, number] => {
  let [right, all] = [0, 0]
  for (const { candidates: every, mayBeNothing } of lists) {
    // The product of fractions exists only for what a label leads to.
    const candidates =
      weights === handSet ? every.filter(({ features }) => features["labelled"] === 1) : every
    let best: (typeof candidates)[number] | undefined
    let most = Math.log(least / (1 - least))
    for (const candidate of candidates) {
      const score = logOddsOf(weights, candidate.features)
      if (score > most) [best, most] = [candidate, score]
    }
    all++
    if (best === undefined ? mayBeNothing : best.right) right++
  }
  return [right, all]
}

const share = ([right, all]: readonly [number, number]): string =>
  `${((100 * right) / Math.max(1, all)).toFixed(1)} %`

/** The weights of one kind of field, near what was known of it before. */
const fitted = (kind: string, lists: ReadonlyArray<CandidateList>, names: ReadonlyArray<string>): Weights => {
  const prior = namePriors[kind]
  return fit(rowsOf(lists), names, prior ?? handSet, prior === undefined ? ridge : nameRidge)
}

/** The choices of weights that never saw a family, for all families. */
const leftOut = (
  kind: string,
  lists: ReadonlyArray<CandidateList>,
  names: ReadonlyArray<string>,
  least: number
) => {
  let [right, all] = [0, 0]
  for (let fold = 0; fold < folds; fold++) {
    const inside = lists.filter(({ family }) => bucket(family, folds) !== fold)
    const weights = fitted(kind, inside, names)
    const own = accuracy(
      lists.filter(({ family }) => bucket(family, folds) === fold),
      weights,
      least
    )
    right += own[0]
    all += own[1]
  }
  return [right, all] as const
}

const rounded = ({ bias, features }: Weights): Weights => ({
  bias: Math.round(bias * 1000) / 1000,
  features: Object.fromEntries(
    Object.entries(features).flatMap(([name, value]) =>
      Math.abs(value) < 0.0005 ? [] : [[name, Math.round(value * 1000) / 1000]]
    )
  )
})

const least = 0.1

const program = Effect.gen(function* () {
  const lists: Array<CandidateList> = []
  for (const example of yield* examplesOf(["pages", "written", "anecdotes", "third", "second", "generated"]))
    for (const knowsLabels of [true, false]) lists.push(...(yield* blockLists(example, knowsLabels)))
  if (wantedKinds?.every((kind) => kind.endsWith(" block")) !== true)
    for (const example of yield* examplesOf(["open", "synthetic", "generated", "written"]))
      for (const variant of isHeldOut(example) ? [0] : [0, 1])
        lists.push(...(yield* candidateLists(example, variant)))
  const kinds: Record<string, Weights> = {}
  for (const [kind, all] of Map.groupBy(lists, (list) => list.kind)) {
    if (wantedKinds !== undefined && !wantedKinds.includes(kind)) continue
    const own = all.filter((list) => !isHeldOut(list))
    const held = all.filter((list) => isHeldOut(list))
    const names = namesOf(own)
    const weights = fitted(kind, own, names)
    kinds[kind] = rounded(weights)
    console.log(
      `${kind.padEnd(22)} ${own.length} lists; known before ${share(accuracy(own, namePriors[kind] ?? handSet, least))} and held out ${share(accuracy(held, namePriors[kind] ?? handSet, least))}; families left out ${share(leftOut(kind, own, names, least))}, product alone ${share(accuracy(own, handSet, 0.02))}; held out (${held.length}) ${share(accuracy(held, weights, least))}, product alone ${share(accuracy(held, handSet, 0.02))}`
    )
    for (const [source, part] of Map.groupBy(held, (list) => list.source))
      console.log(
        `    ${source}: ${share(accuracy(part, weights, least))}, product alone ${share(accuracy(part, handSet, 0.02))} of ${part.length}`
      )
    if (process.argv.includes("--ablate")) {
      const full = leftOut(kind, own, names, least)[0]
      const losses = names.map((name) => {
        const right = leftOut(
          kind,
          own,
          names.filter((other) => other !== name),
          least
        )[0]
        return { name, lost: full - right }
      })
      const shown = losses.toSorted((a, b) => b.lost - a.lost).map(({ lost, name }) => `${name} ${lost}`)
      console.log(`    right ones lost without: ${shown.join(", ")}`)
    }
  }
  if (!process.argv.includes("--write")) return
  const target = new URL("../src/extraction/models/ranking.json", import.meta.url)
  const before: unknown = JSON.parse(readFileSync(target, "utf8"))
  const known = typeof before === "object" && before !== null && "kinds" in before ? before.kinds : {}
  const sorted = Object.fromEntries(
    Object.entries(Object.assign({}, known, kinds)).toSorted(([a], [b]) => a.localeCompare(b))
  )
  writeFileSync(target, `${JSON.stringify({ least, kinds: sorted }, undefined, 2)}\n`)
})

await Effect.runPromise(program.pipe(Effect.provide(cachedReader(readFolder, ["auto"]))))
