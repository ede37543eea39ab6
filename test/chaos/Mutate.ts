import { Schema } from "effect"
import { registerHooks } from "node:module"

/**
 * Loaded into a service before its program (`--import`): replaces text in one of its modules, as `CHAOS_MUTATION` says in
 * JSON. A harness that finds nothing wrong with such a service is of no use.
 */
const mutation = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))(
  process.env["CHAOS_MUTATION"] ?? "[]"
)
const [file = "", search = "", replacement = ""] = mutation

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (file === "" || !url.endsWith(file) || loaded.source === undefined) return loaded
    const source =
      typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined)
    if (!source.includes(search)) throw new Error(`${file} does not contain ${search}`)
    return { ...loaded, source: source.replaceAll(search, replacement) }
  }
})
