import { posix } from "node:path"

/** What one import line names: a file of the project (its path) or a package. */
export type Import =
  { readonly kind: "file"; readonly path: string } | { readonly kind: "package"; readonly name: string }

const withoutComments = (source: string): string =>
  source.replace(/^\s*\/\*[\s\S]*?\*\//gm, "").replace(/^\s*\/\/.*$/gm, "")

const forms = [
  /^\s*(?:import|export)\s[^"'`;]*?\sfrom\s*["']([^"']+)["']/gm,
  /^\s*import\s*["']([^"']+)["']/gm,
  /\bimport\(\s*["']([^"']+)["']/g,
  // A worker or a child process is named by its address instead of being imported.
  /new URL\(\s*["'](\.[^"']+\.ts)["']/g
]

/** Every file and package that the source of `file` imports, types included. */
export const importsOf = (file: string, source: string): ReadonlyArray<Import> => {
  const code = withoutComments(source)
  return forms
    .flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ""))
    .map((specifier) =>
      specifier.startsWith(".")
        ? { kind: "file", path: posix.join(posix.dirname(file), specifier) }
        : { kind: "package", name: specifier }
    )
}

/** The name under which a package is installed: `effect` for `effect/Schema`, `node:fs` as it is. */
export const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
