import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import { cannotRead } from "../../domain/FileProblem.ts"
import { type FieldWords, type KindWords, type Language, Lexicon, type LexiconParts } from "./Lexicon.ts"
import { CountryFile } from "./CountryFile.ts"
import { LexiconFile } from "./LexiconFile.ts"

/** A file of a lexicon folder cannot be used; the message names the file and what is wrong with it. */
export class LexiconProblem extends Schema.TaggedError<LexiconProblem>()("LexiconProblem", {
  message: Schema.String
}) {}

const shippedFolder = fileURLToPath(new URL("./", import.meta.url))
/** The names of the files of a lexicon folder: the BCP 47 tag of a language, and the code (ISO 3166) of a country in `countries/`. */
export const languageFile = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.ya?ml$/u
export const countryFile = /^([A-Z]{2})\.ya?ml$/u

/** A file of a lexicon folder as it is checked: an unknown key is an error, and all errors are reported. */
export const lexiconOptions = { onExcessProperty: "error", errors: "all" } as const
const decodeLanguage = Schema.decodeUnknownEffect(LexiconFile, lexiconOptions)
const decodeCountry = Schema.decodeUnknownEffect(CountryFile, lexiconOptions)

const parsed = (text: string) =>
  Effect.try({
    try: (): unknown => parse(text) ?? {},
    catch: (cause) => new LexiconProblem({ message: `This is not valid YAML: ${String(cause)}` })
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

/** The files of a folder that have a name of such a form, each decoded, with the part of its name that it is known by. */
const filesOf = Effect.fnUntraced(function* <A, E extends { readonly message: string }>(
  folder: string,
  form: RegExp,
  decode: (content: unknown) => Effect.Effect<A, E>
) {
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
    const [, known] = form.exec(name) ?? []
    return known === undefined ? [] : [{ path: `${folder}/${name}`.replaceAll("//", "/"), known }]
  })
  // Other work may run between two files: a service reads them while it already answers.
  return yield* Effect.forEach(files, ({ known, path }) =>
    Effect.gen(function* () {
      yield* Effect.yieldNow
      const text = yield* Effect.try({
        // Reading a named pipe would block everything.
        try: () => (statSync(path).isFile() ? readFileSync(path, "utf8") : undefined),
        catch: (cause) => new LexiconProblem({ message: cannotRead(path, cause) })
      })
      if (text === undefined) return yield* new LexiconProblem({ message: `${path} is not a file` })
      const content = yield* Effect.mapError(
        Effect.flatMap(parsed(text), decode),
        (problem) => new LexiconProblem({ message: `${path}: ${problem.message}` })
      )
      return { known, content }
    })
  )
})

/** What a folder says: languages in `<BCP 47 tag>.yaml`, countries in `countries/<ISO 3166 code>.yaml`. Other files are ignored. */
export const readLexiconFolder = Effect.fnUntraced(function* (
  folder: string
): Effect.fn.Return<LexiconParts, LexiconProblem> {
  const languages = yield* filesOf(folder, languageFile, decodeLanguage)
  const ofCountries = `${folder}/countries`
  const countries = existsSync(ofCountries) ? yield* filesOf(ofCountries, countryFile, decodeCountry) : []
  return {
    languages: languages.map(({ content, known }) => languageOf(known, content)),
    countries: countries.map(({ content, known }) => Object.assign({ code: known }, content))
  }
})

let shipped: Lexicon | undefined

/** Reads the lexicon that docflow ships, unless it was read before. */
export const readShippedLexicon = Effect.suspend(() =>
  shipped === undefined
    ? Effect.map(Effect.orDie(readLexiconFolder(shippedFolder)), (parts) => {
        shipped ??= new Lexicon(parts)
        return shipped
      })
    : Effect.succeed(shipped)
)

/** The lexicon that docflow ships, read on first use. */
export const shippedLexicon = (): Lexicon => shipped ?? Effect.runSync(readShippedLexicon)

let extended: { readonly lexicon: Lexicon; readonly folder: string | undefined } | undefined

/** Makes a lexicon with the user's own languages, read from `folder`, the one that this process reads dates and currencies with. */
export const useLexicon = (lexicon: Lexicon, folder?: string): void => {
  extended = { lexicon, folder }
}

/**
 * The lexicon that a user's folder extends, or the shipped one without a folder, if this process holds it. A program may embed several
 * engines, each with a folder of its own: only the last one is held.
 */
export const heldLexicon = (folder: string | undefined): Lexicon | undefined =>
  folder === undefined ? shipped : extended?.folder === folder ? extended.lexicon : undefined

/** The lexicon of this process: the shipped one, with the user's own languages once they are read. */
export const lexiconInUse = (): Lexicon => extended?.lexicon ?? shippedLexicon()
