import { Schema } from "effect"
import { globSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"

/**
 * Loaded into a service before its program (`--import`): replaces strings in its modules, as `CHAOS_MUTATION` lists in JSON. A
 * harness that finds nothing wrong with a broken service is of no use.
 */
const Mutations = Schema.Array(Schema.Tuple([Schema.String, Schema.String, Schema.String]))
const mutations = Schema.decodeUnknownSync(Schema.fromJsonString(Mutations))(
  process.env["CHAOS_MUTATION"] ?? "[]"
)

// A mutation of a file that was renamed would otherwise leave the service as it is, without a word.
const modules = globSync("src/**/*.ts", { cwd: join(import.meta.dirname, "../..") })
for (const [file] of mutations) {
  if (!modules.some((module) => module.endsWith(file))) throw new Error(`no module is called ${file}`)
}

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    const wanted = mutations.filter(([file]) => url.endsWith(file))
    if (wanted.length === 0 || loaded.source === undefined) return loaded
    let source =
      typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined)
    for (const [file, search, replacement] of wanted) {
      if (!source.includes(search)) throw new Error(`${file} does not contain ${search}`)
      source = source.replaceAll(search, () => replacement)
    }
    return { ...loaded, source }
  }
})
