import { readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import { cannotRead } from "../../domain/FileProblem.ts"
import { type FieldWords, type KindWords, type Language, Lexicon } from "./Lexicon.ts"
import { LexiconFile } from "./LexiconFile.ts"

/** A file of a lexicon folder cannot be used; the message names the file and what is wrong with it. */
export class LexiconProblem extends Schema.TaggedError<LexiconProblem>()("LexiconProblem", {
  message: Schema.String
}) {}

const shippedFolder = fileURLToPath(new URL("./", import.meta.url))
/** The name of a file of a lexicon folder: the BCP 47 tag of its language. */
export const lexiconFileName = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.ya?ml$/u

/** A file of a lexicon folder as it is checked: an unknown key is an error, and all errors are reported. */
export const lexiconOptions = { onExcessProperty: "error", errors: "all" } as const
const decode = Schema.decodeUnknownEffect(LexiconFile, lexiconOptions)

const parsed = (text: string, path: string) =>
  Effect.try({
    try: (): unknown => parse(text) ?? {},
    catch: (cause) => new LexiconProblem({ message: `${path} is not valid YAML: ${String(cause)}` })
  })

const fieldWords = (words: Partial<FieldWords>): FieldWords => ({
  labels: words.labels ?? [],
  weak: words.weak ?? [],
  not: words.not ?? []
})

const kindWords = (words: Partial<KindWords>): KindWords => ({
  titles: words.titles ?? [],
  words: words.words ?? []
})

const languageOf = (tag: string, file: LexiconFile): Language => ({
  tag,
  name: file.name ?? tag,
  countries: file.countries ?? [],
  common: file.common ?? [],
  words: file.words ?? {},
  kinds: Object.fromEntries(
    Object.entries(file.kinds ?? {}).map(([kind, words]) => [kind, kindWords(words)])
  ),
  fields: Object.fromEntries(
    Object.entries(file.fields ?? {}).map(([name, words]) => [name, fieldWords(words)])
  )
})

const readFile = Effect.fnUntraced(function* (folder: string, name: string, tag: string) {
  const path = `${folder}/${name}`.replaceAll("//", "/")
  const text = yield* Effect.try({
    // Reading a named pipe would block everything.
    try: () => (statSync(path).isFile() ? readFileSync(path, "utf8") : undefined),
    catch: (cause) => new LexiconProblem({ message: cannotRead(path, cause) })
  })
  if (text === undefined) return yield* new LexiconProblem({ message: `${path} is not a file` })
  const file = yield* Effect.mapError(
    Effect.flatMap(parsed(text, path), decode),
    (problem) => new LexiconProblem({ message: `${path}: ${problem.message}` })
  )
  return languageOf(tag, file)
})

/** The languages of a folder: a file `<BCP 47 tag>.yaml` for each. Other files are ignored. */
export const readLexiconFolder = Effect.fnUntraced(function* (folder: string) {
  const names = yield* Effect.try({
    try: () => readdirSync(folder).toSorted(),
    catch: (cause) =>
      new LexiconProblem({
        message: cannotRead(
          `The folder ${folder}`,
          cause,
          "Set DOCFLOW_LEXICON to a folder with files like fr.yaml"
        )
      })
  })
  const files = names.flatMap((name) => {
    const [, tag] = lexiconFileName.exec(name) ?? []
    return tag === undefined ? [] : [{ name, tag }]
  })
  // Other work may run between two files: a service reads them while it already answers.
  return yield* Effect.forEach(files, ({ name, tag }) =>
    Effect.andThen(Effect.yieldNow, readFile(folder, name, tag))
  )
})

let shipped: Lexicon | undefined

/** Reads the lexicon that docflow ships, unless it was read before. */
export const readShippedLexicon = Effect.suspend(() =>
  shipped === undefined
    ? Effect.map(Effect.orDie(readLexiconFolder(shippedFolder)), (languages) => {
        shipped ??= new Lexicon(languages)
        return shipped
      })
    : Effect.succeed(shipped)
)

/** The lexicon that docflow ships, read on first use. */
export const shippedLexicon = (): Lexicon => shipped ?? Effect.runSync(readShippedLexicon)

let extended: Lexicon | undefined

/** Makes a lexicon with the user's own languages the one that this process reads dates and currencies with. */
export const useLexicon = (lexicon: Lexicon): void => {
  extended = lexicon
}

/** The lexicon of this process: the shipped one, with the user's own languages once they are read. */
export const lexiconInUse = (): Lexicon => extended ?? shippedLexicon()
