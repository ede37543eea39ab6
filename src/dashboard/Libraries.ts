import { Effect, FileSystem, Schema } from "effect"
import { findPackageJSON, isBuiltin } from "node:module"
import { posix } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The libraries that every page uses, under the names by which the client imports them. */
const ofEveryPage = ["preact", "preact/hooks", "htm", "htm/preact"]
/** The libraries of the editor of flows, which only its page loads. */
const ofTheEditor = [
  "@codemirror/autocomplete",
  "@codemirror/commands",
  "@codemirror/lang-yaml",
  "@codemirror/language",
  "@codemirror/lint",
  "@codemirror/state",
  "@codemirror/view",
  "@lezer/highlight"
]
const known = new Set([...ofEveryPage, ...ofTheEditor])

/** The name under which a library is served, below the client's files. */
const servedName = (library: string): string => `lib/${library.replace("@", "").replaceAll("/", "-")}.js`

/** Imports and exports from a module, and imports on demand. */
const imported = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'\s]+)\2/gu

const withoutMap = (source: string): string => source.replace(/^\/\/# sourceMappingURL=.*$/gmu, "")

/**
 * The module `file` (a path below the client's folder) with imports that a browser can follow: it knows neither packages nor TypeScript. An import map would do the
 * former, but a map is an inline script, which the page's Content-Security-Policy forbids.
 */
export const forBrowser = (file: string, source: string): string =>
  withoutMap(
    source.replace(imported, (whole, keyword: string, quote: string, name: string) => {
      const toTop = file.includes("/") ? "../" : "./"
      if (known.has(name)) return `${keyword}${quote}${toTop}${servedName(name)}${quote}`
      return name.startsWith(".") ? `${keyword}${quote}${name.replace(/\.ts$/u, ".js")}${quote}` : whole
    })
  )

/** The names of the modules that a served module loads with itself, as they are served. */
export const importsOf = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/\bfrom\s*["'](\.[^"']+)["']/gu)].map(([, name = ""]) =>
    posix.join(posix.dirname(file), name)
  )

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    exports: Schema.optional(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)])),
    module: Schema.optional(Schema.String),
    main: Schema.optional(Schema.String)
  })
)

const entryOf = ({ exports, main, module }: typeof Manifest.Type): string => {
  const own = typeof exports === "object" ? exports["import"] : exports
  return typeof own === "string" ? own : (module ?? main ?? "index.js")
}

/** The file of a library that another one imports, wherever that is installed. */
const fileFor = Effect.fnUntraced(function* (library: string, importer: string) {
  const fs = yield* FileSystem.FileSystem
  const manifest = isBuiltin(library) ? undefined : findPackageJSON(library, pathToFileURL(importer))
  if (manifest === undefined) return undefined
  const entry = entryOf(yield* Schema.decodeEffect(Manifest)(yield* fs.readFileString(manifest)))
  return fileURLToPath(new URL(entry, pathToFileURL(manifest)))
})

const bareNames = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(imported)].flatMap(([, , , name = ""]) => (/^[@\w]/u.test(name) ? name : []))

/** Libraries with those that they import, as the browser receives them, by the names under which they are served. */
const withImports = Effect.fnUntraced(function* (libraries: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const found = new Map<string, string>()
  const open = libraries.map((library) => [library, fileURLToPath(import.meta.resolve(library))] as const)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [library, file] = next
    if (found.has(servedName(library))) continue
    const source = yield* fs.readFileString(file)
    const here = new Set<string>()
    for (const name of new Set(bareNames(source))) {
      const needed = known.has(name) ? fileURLToPath(import.meta.resolve(name)) : yield* fileFor(name, file)
      if (needed === undefined) continue
      here.add(name)
      open.push([name, needed])
    }
    const rewritten = source.replace(imported, (whole, keyword: string, quote: string, name: string) =>
      here.has(name) ? `${keyword}${quote}./${servedName(name).slice("lib/".length)}${quote}` : whole
    )
    found.set(servedName(library), withoutMap(rewritten))
  }
  return found
})

/** The libraries of every page. */
export const pageLibraries = withImports(ofEveryPage)

/** The libraries of the editor, which are large and loaded only when somebody opens it. */
export const editorLibraries = withImports(ofTheEditor)
