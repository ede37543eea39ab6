import { readFileSync } from "node:fs"
import { Schema } from "effect"

/** Where the documents with known contents are. */
export const corpus =
  process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname

const Entry = Schema.Struct({
  path: Schema.String,
  sha256: Schema.String,
  pages: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  expected: Schema.Struct({
    expect: Schema.optionalKey(Schema.String),
    text_file: Schema.optionalKey(Schema.String),
    password: Schema.optionalKey(Schema.String),
    tables: Schema.optionalKey(Schema.Array(Schema.Struct({ page: Schema.Int, table_file: Schema.String })))
  })
})
export type Entry = typeof Entry.Type

const Manifest = Schema.fromJsonString(Schema.Struct({ files: Schema.Array(Entry) }))

/** The documents of one folder of the corpus. */
export const documentsIn = (folder: string): ReadonlyArray<Entry> =>
  Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8")).files.filter(
    ({ path }) => path.startsWith(`${folder}/`)
  )

/** Which half a document is in: built with, or measured on. By its hash, so that nobody chooses. */
export const isMeasured = ({ sha256 }: Entry): boolean => Number.parseInt(sha256[0] ?? "0", 16) % 2 === 1

/** Text as it is compared: compatible characters the same, white space one space, no marks for its direction. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    // `pdftotext` adds them to Hebrew and Arabic.
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/[\s\u00ad\u200b]+/gu, " ")
    .trim()

/** How many of one list are in the other, each counted once. */
export const common = (expected: ReadonlyArray<string>, found: ReadonlyArray<string>): number => {
  const left = new Map<string, number>()
  for (const item of expected) left.set(item, (left.get(item) ?? 0) + 1)
  let both = 0
  for (const item of found) {
    const count = left.get(item) ?? 0
    if (count === 0) continue
    left.set(item, count - 1)
    both++
  }
  return both
}

/** The harmonic mean of precision and recall. */
export const f1 = (expected: ReadonlyArray<string>, found: ReadonlyArray<string>): number =>
  expected.length + found.length === 0 ? 1 : (2 * common(expected, found)) / (expected.length + found.length)

/** The middle value. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** The texts of the cells that have one. */
export const cellsOf = (rows: Rows): ReadonlyArray<string> =>
  rows.flatMap((row) => row.map(fold)).filter((text) => text !== "")

/** Pairs of cells that are next to each other, empty ones left out, as the ICDAR competition counts. */
export const neighboursOf = (rows: Rows): ReadonlyArray<string> => {
  const pairs: Array<string> = []
  const folded = rows.map((row) => row.map(fold))
  const along = (line: ReadonlyArray<string>, axis: string) => {
    const filled = line.filter((text) => text !== "")
    for (const [i, text] of filled.entries()) {
      const next = filled[i + 1]
      if (next !== undefined) pairs.push(`${axis}\u0000${text}\u0000${next}`)
    }
  }
  for (const row of folded) along(row, "row")
  const width = folded.reduce((most, row) => Math.max(most, row.length), 0)
  for (let i = 0; i < width; i++) {
    along(
      folded.map((row) => row[i] ?? ""),
      "column"
    )
  }
  return pairs
}
