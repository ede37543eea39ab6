/**
 * Keeps a ledger of extraction: each value of each document with its confidence and verdict, for all sets of documents.
 *
 *   node bench/ledger.ts [--sets open,third,…] [--as pdf,scan,photo] [--base] [--write] [--errors | --sure] [--only <part of a name>] [--folder <folder>]
 *
 * A run prints each set and what differs from the base, by set, field and issuer. `--base` makes this run the base, `--write`
 * writes the summary to `bench/results/ledger.md`. The folder (default: `node_modules/.cache/docflow`) holds what was read of
 * the documents, so that only the first run recognizes their text.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { sureFrom } from "../src/domain/Evidence.ts"
import { cachedReader } from "./CachedReader.ts"
import { captures } from "./Degraded.ts"
import { sources } from "./Example.ts"
import { examplesOf } from "./Examples.ts"
import { entriesOf, Entry, isPlain, isScored, isSure } from "./LedgerEntries.ts"

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const has = (name: string): boolean => process.argv.includes(`--${name}`)

const folder = option("folder") ?? new URL("../node_modules/.cache/docflow", import.meta.url).pathname
const wantedSets = sources.filter((source) => (option("sets") ?? sources.join()).split(",").includes(source))
const wantedCaptures = captures.filter((as) => (option("as") ?? "pdf").split(",").includes(as))

const Ledger = Schema.fromJsonString(Schema.Array(Entry))

const rightOf = (entries: ReadonlyArray<Entry>): number => entries.filter(({ right }) => right).length
const ofAll = (entries: ReadonlyArray<Entry>): string =>
  entries.length === 0
    ? "–"
    : `${(rightOf(entries) / entries.length).toFixed(3)} (${rightOf(entries)}/${entries.length})`

/** A line of the summary: documents, values right, share sure, sure and wrong, rows, tables, kinds. */
const rowOf = (name: string, entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const values = entries.filter(isPlain)
  const sure = values.filter(isSure)
  const tables = entries.filter(({ field }) => field === "table")
  const sureTables = tables.filter(isSure)
  return [
    name,
    String(new Set(entries.map(({ document }) => document)).size),
    ofAll(values),
    (sure.length / Math.max(1, values.length)).toFixed(2),
    `${sure.length - rightOf(sure)}/${sure.length}`,
    ofAll(entries.filter(({ field }) => field.startsWith("row "))),
    `${sureTables.length - rightOf(sureTables)}/${sureTables.length}`,
    ofAll(entries.filter(({ field }) => field === "kind"))
  ]
}

const heads = ["set", "documents", "right", "sure", "sure and wrong", "rows", "sure tables wrong", "kinds"]

const summaryOf = (all: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<string>> => {
  const groups = [...Map.groupBy(all, ({ set }) => set)].toSorted(([a], [b]) => a.localeCompare(b))
  const ofInvoices = all.filter(isScored)
  const fields = [...Map.groupBy(ofInvoices, ({ field }) => field)]
  return [
    heads,
    ...groups.map(([set, own]) => rowOf(set, own)),
    ...fields.map(([field, own]) => rowOf(`all: ${field}`, own))
  ]
}

const show = (rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  const widths = heads.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)))
  for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "))
}

const text = ({ confidence, value }: Entry): string => `${JSON.stringify(value)} (${confidence})`
const keyOf = ({ document, field, set }: Entry): string => `${set} ${document} ${field}`

const isBad = (entry: Entry): boolean => isSure(entry) && !entry.right

/** What differs from an earlier run: counts by set and field, then each value that became right, wrong, sure or unsure. */
const showDifference = (before: ReadonlyArray<Entry>, after: ReadonlyArray<Entry>): void => {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]))
  const pairs = after.flatMap((entry) => {
    const old = known.get(keyOf(entry))
    return old === undefined ? [] : [{ entry, old }]
  })
  const changed = pairs.filter(({ entry, old }) => entry.right !== old.right || isSure(entry) !== isSure(old))
  const others = pairs.filter(
    ({ entry, old }) => JSON.stringify(entry.value) !== JSON.stringify(old.value) && entry.right === old.right
  )
  console.log(
    `\nCompared with the base: ${pairs.length} values, ${changed.length} with another verdict, ${others.length} wrong in another way or equally right`
  )
  const groups = Map.groupBy(changed, ({ entry }) => `${entry.set} | ${entry.field.replace(/ \d+$/u, "")}`)
  for (const [name, group] of [...groups].toSorted(([a], [b]) => a.localeCompare(b))) {
    const of = (test: (pair: (typeof group)[number]) => boolean) => group.filter(test).length
    console.log(
      `  ${name.padEnd(52)} right +${of(({ entry, old }) => entry.right && !old.right)} −${of(({ entry, old }) => !entry.right && old.right)}` +
        `, sure +${of(({ entry, old }) => isSure(entry) && !isSure(old))} −${of(({ entry, old }) => !isSure(entry) && isSure(old))}` +
        `, sure and wrong +${of(({ entry, old }) => isBad(entry) && !isBad(old))} −${of(({ entry, old }) => !isBad(entry) && isBad(old))}`
    )
  }
  const isTold = ({ entry, old }: (typeof changed)[number]) =>
    entry.right !== old.right || (isSure(entry) && !entry.right) || (isSure(old) && !old.right)
  const told = changed.filter(isTold)
  for (const [issuer, group] of Map.groupBy(told.slice(0, 250), ({ entry }) => entry.issuer))
    for (const { entry, old } of group)
      console.log(
        `  ${entry.right ? "+" : "−"} ${issuer} ${entry.document} ${entry.field}: ${text(old)} → ${text(entry)}, truth ${JSON.stringify(entry.truth)}`
      )
}

const program = Effect.gen(function* () {
  const all: Array<Entry> = []
  for (const as of wantedCaptures)
    for (const source of wantedSets)
      for (const example of yield* examplesOf([source], as))
        if (example.name.includes(option("only") ?? "")) all.push(...(yield* entriesOf(example, as)))
  const summary = summaryOf(all)
  show(summary)
  for (const entry of all)
    if (!entry.right && (has("errors") || (has("sure") && isSure(entry))))
      console.log(
        `${entry.set}: ${entry.document} ${entry.field} ${text(entry)}, truth ${JSON.stringify(entry.truth)}`
      )
  const [base, last] = [`${folder}/ledger-base.json`, `${folder}/ledger.json`]
  if (existsSync(base)) showDifference(Schema.decodeSync(Ledger)(readFileSync(base, "utf8")), all)
  mkdirSync(folder, { recursive: true })
  for (const file of has("base") ? [base, last] : [last]) writeFileSync(file, JSON.stringify(all))
  if (!has("write")) return
  const [first = [], ...rest] = summary
  const ofSets = rest.filter(([name = ""]) => !name.startsWith("all"))
  const table = [first, first.map(() => "---"), ...ofSets].map((row) => `| ${row.join(" | ")} |`)
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(
    new URL("./results/ledger.md", import.meta.url),
    `# Ledger of extraction\n\nMeasured with \`node bench/ledger.ts --sets ${wantedSets.join()} --as ${wantedCaptures.join()}\` on ${day}. Sure: a confidence of ${sureFrom} or more.\n\n${table.join("\n")}\n`
  )
})

await Effect.runPromise(program.pipe(Effect.provide(cachedReader(`${folder}/read`, ["auto"]))))
