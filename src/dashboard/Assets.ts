import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { hash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { stripTypes } from "./StripTypes.ts"

/** A file that the browser is given. */
export interface Asset {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly etag: string
}

/** The libraries that the client uses, under the names by which it imports them. */
const libraries = ["preact", "preact/hooks", "htm", "htm/preact"]

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

const folder = fileURLToPath(new URL("./client", import.meta.url))

/** The client's files by name, as the browser gets them: a clone has them as TypeScript, the built package as JavaScript. */
export class Assets extends Context.Service<Assets, ReadonlyMap<string, Asset>>()(
  "docflow/dashboard/Assets"
) {
  static readonly layer = Layer.effect(
    Assets,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const found = new Map<string, Asset>()
      const add = (name: string, text: string) => {
        const bytes = Buffer.from(text)
        const contentType = contentTypes[path.extname(name)] ?? "application/octet-stream"
        found.set(name, { bytes, contentType, etag: `"${hash("sha256", bytes, "base64url").slice(0, 27)}"` })
      }
      for (const library of libraries) {
        const file = fileURLToPath(import.meta.resolve(library))
        add(libraryFile(library), forBrowser(yield* fs.readFileString(file), "."))
      }
      for (const name of (yield* fs.readDirectory(folder)).filter(isServed)) {
        const text = yield* fs.readFileString(path.join(folder, name))
        if (name.endsWith(".ts")) add(name.replace(/\.ts$/u, ".js"), forBrowser(stripTypes(text), "./lib"))
        else add(name, name.endsWith(".js") ? forBrowser(text, "./lib") : text)
      }
      return found
    }).pipe(Effect.orDie)
  )
}

/** The declarations and maps that a build leaves next to the files are not for the browser. */
const isServed = (name: string): boolean => /\.(?:ts|js|css|svg)$/u.test(name) && !name.endsWith(".d.ts")

const libraryFile = (library: string): string => `lib/${library.replace("/", "-")}.js`

const imported = /(\bfrom\s*|\bimport\s*)(["'])([^"']+)\2/gu

/**
 * A module with imports that a browser can follow: it knows neither packages nor TypeScript. An import map would do the
 * former, but a map is an inline script, which the page's Content-Security-Policy forbids.
 */
const forBrowser = (source: string, libraryFolder: string): string =>
  source
    .replace(imported, (whole, keyword: string, quote: string, name: string) => {
      if (libraries.includes(name)) {
        return `${keyword}${quote}${libraryFolder}/${libraryFile(name).slice("lib/".length)}${quote}`
      }
      return name.startsWith("./") ? `${keyword}${quote}${name.replace(/\.ts$/u, ".js")}${quote}` : whole
    })
    .replace(/^\/\/# sourceMappingURL=.*$/gmu, "")
