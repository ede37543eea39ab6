/**
 * Switches each predicate of `src/extraction` off in turn, and prints what the documents lose and win without it.
 *
 *   node bench/ablate.ts [--sets third,second,pages,written] [--every 1] [--only sums/]
 *
 * A predicate is a top-level or local constant whose name begins with is, has, may, are, can or could. One that is true in no
 * document, or without which no issuer loses a value, does not earn its place. `--every 5` takes every fifth document.
 */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { sureFrom } from "../src/domain/Evidence.ts"
import { cachedReader, readFolder } from "./CachedReader.ts"
import { type Example, type Source, sources } from "./Example.ts"

const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}

/** The predicate that is off, and those that were true since they were forgotten last. */
const state = { off: "", held: new Set<string>(), ids: new Array<string>() }

const answer = (id: string, result: unknown): unknown => {
  if (result !== true) return result
  state.held.add(id)
  return state.off !== id
}

/** Wraps a predicate, or the value of one that is no function. */
const switched = (id: string, value: unknown): unknown =>
  typeof value === "function"
    ? (...args: ReadonlyArray<unknown>) => answer(id, Reflect.apply(value, undefined, args))
    : answer(id, value)

Object.assign(globalThis, { switched })

const indentOf = (line: string): number => line.length - line.trimStart().length
const predicate = /^(\s*(?:export )?const ((?:is|has|may|are|can|could)[A-Z]\w*) =)(.*)$/u

/** The program of a file with each of its predicates wrapped. */
const withSwitches = (file: string, program: string): string => {
  const lines = program.split("\n")
  for (const [at, line] of lines.entries()) {
    const [, head = "", name = "", rest = ""] = predicate.exec(line) ?? []
    if (name === "") continue
    const indent = indentOf(line)
    let end = at
    while ((lines[end + 1] ?? "").trim() !== "") {
      const next = lines[end + 1] ?? ""
      if (indentOf(next) < indent || (indentOf(next) === indent && !/^[)}\]]/u.test(next.trim()))) break
      end++
    }
    const id = `${file}:${at + 1} ${name}`
    state.ids.push(id)
    lines[at] = `${head} globalThis.switched(${JSON.stringify(id)}, ${rest}`
    lines[end] = `${lines[end]})`
  }
  return lines.join("\n")
}

registerHooks({
  load: (url, context, nextLoad) => {
    const [, file] = /\/src\/extraction\/(.*\.ts)$/u.exec(url) ?? []
    if (file === undefined || file.startsWith("lexicon/")) return nextLoad(url, context)
    const source = withSwitches(file, readFileSync(fileURLToPath(url), "utf8"))
    return { format: "module-typescript", source, shortCircuit: true }
  }
})

// What uses the extraction is loaded after the hook is there.
const { examplesOf } = await import("./Examples.ts")
const { judge, judgeRows } = await import("./Judgements.ts")

/** The verdicts of a document by field: 1 for a right value or each right row. `sure` lists wrong values that are sure. */
const verdictsOf = Effect.fnUntraced(function* (example: Example) {
  // The kind that was found is kept with a document.
  const { judgements, table } = yield* judge({ ...example, document: structuredClone(example.document) })
  const rows = (example.tables ?? []).map(
    (truth) => judgeRows(table, truth).lines.filter(({ right }) => right).length
  )
  return {
    right: new Map([
      ...judgements.map(({ field, right }) => [field, Number(right)] as const),
      ["rows", Math.max(0, ...rows)] as const
    ]),
    sure: judgements.filter(({ evidence, right }) => !right && (evidence?.confidence ?? 0) >= sureFrom).length
  }
})

const issuers = (families: ReadonlyArray<string>): string =>
  `${families.length} of ${new Set(families).size} issuers`

const isSource = (name: string): name is Source => sources.some((source) => source === name)

const program = Effect.gen(function* () {
  const sets = option("sets", "third,second,pages,written").split(",").filter(isSource)
  const every = Number(option("every", "1"))
  const examples = (yield* examplesOf(sets)).filter((_, at) => at % every === 0)
  const known = yield* Effect.forEach(
    examples,
    Effect.fnUntraced(function* (example) {
      state.held.clear()
      const verdicts = yield* verdictsOf(example)
      return { example, verdicts, held: new Set(state.held) }
    })
  )
  console.log(`${examples.length} documents, ${state.ids.length} predicates`)
  for (const id of state.ids.filter((one) => one.startsWith(option("only", "")))) {
    const concerned = known.filter(({ held }) => held.has(id))
    const [lost, won] = [new Array<string>(), new Array<string>()]
    let moreSureAndWrong = 0
    state.off = id
    for (const { example, verdicts } of concerned) {
      const without = yield* verdictsOf(example)
      moreSureAndWrong += without.sure - verdicts.sure
      for (const [field, before] of verdicts.right) {
        const change = (without.right.get(field) ?? 0) - before
        for (let i = 0; i < Math.abs(change); i++) (change < 0 ? lost : won).push(example.family)
      }
    }
    state.off = ""
    console.log(
      `${id.padEnd(56)} true in ${concerned.length}; loses ${issuers(lost)}, wins ${issuers(won)}, sure and wrong ${moreSureAndWrong}`
    )
  }
})

await Effect.runPromise(program.pipe(Effect.provide(cachedReader(readFolder, ["auto"]))))
