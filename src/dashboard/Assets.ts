import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { hash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { editorLibraries, forBrowser, importsOf, pageLibraries } from "./Libraries.ts"
import { stripTypeScriptTypes } from "node:module"

/**
 * The JavaScript of a TypeScript file that has only erasable types. Node.js prints on standard error that the function
 * is experimental; that warning is suppressed, because it does not concern users of the service.
 */
const stripTypes = (source: string): string => {
  const emitWarning = process.emitWarning
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** A file for the browser. */
export interface Asset {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly etag: string
  /** Whether it stays the same as long as the fingerprint of the client does. */
  readonly lasting: boolean
}

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

const folder = fileURLToPath(new URL("./client", import.meta.url))

/** The client's files, as the browser receives them: a clone has TypeScript, the built package JavaScript. */
export class Assets extends Context.Service<
  Assets,
  {
    /** A file by its name, such as `Start.js`; undefined where there is none. */
    find(name: string): Effect.Effect<Asset | undefined>
    /** The modules that every page loads; others are loaded on demand. */
    readonly modules: ReadonlyArray<string>
    /** Changes with any file of the client, but not with the libraries of the editor. */
    readonly fingerprint: string
  }
>()("docflow/dashboard/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const texts = new Map<string, string>(yield* pageLibraries)
      for (const name of (yield* fs.readDirectory(folder, { recursive: true })).filter(isServed)) {
        const text = yield* fs.readFileString(path.join(folder, name))
        if (name.endsWith(".ts")) texts.set(name.replace(/\.ts$/u, ".js"), forBrowser(name, stripTypes(text)))
        else texts.set(name, name.endsWith(".js") ? forBrowser(name, text) : text)
      }
      const asset = (name: string, text: string, lasting: boolean): Asset => {
        const bytes = Buffer.from(text)
        const contentType = contentTypes[path.extname(name)] ?? "application/octet-stream"
        return { bytes, contentType, lasting, etag: `"${hash("sha256", bytes, "base64url").slice(0, 27)}"` }
      }
      const allOf = (files: ReadonlyMap<string, string>, lasting: boolean) =>
        new Map([...files].map(([name, text]) => [name, asset(name, text, lasting)]))
      const ofPages = allOf(texts, true)
      const ofTheEditor = yield* Effect.cached(
        Effect.map(Effect.orDie(editorLibraries), (files) => allOf(files, false))
      )
      const context = yield* Effect.context<FileSystem.FileSystem>()
      return Assets.of({
        find: (name) =>
          ofPages.has(name) || !name.startsWith("lib/")
            ? Effect.succeed(ofPages.get(name))
            : Effect.map(Effect.provideContext(ofTheEditor, context), (files) => files.get(name)),
        modules: modulesFrom("Start.js", texts),
        fingerprint: hash("sha256", [...ofPages.values()].map(({ etag }) => etag).join(" ")).slice(0, 16)
      })
    }).pipe(Effect.orDie)
  )
}

/** A module and all modules that it loads. */
const modulesFrom = (start: string, texts: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const found = new Set([start])
  for (const name of found) {
    for (const other of importsOf(name, texts.get(name) ?? "")) found.add(other)
  }
  return [...found].sort()
}

/** The declarations and maps that a build leaves next to the files are not for the browser. */
const isServed = (name: string): boolean => /\.(?:ts|js|css|svg)$/u.test(name) && !name.endsWith(".d.ts")
