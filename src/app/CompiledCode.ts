import { enableCompileCache } from "node:module"
import { isAbsolute, join } from "node:path"
import { setFlagsFromString } from "node:v8"

/** The cache folder of the user whose environment this is; undefined for a user without a home. */
export const cacheFolder = (environment: {
  readonly [name: string]: string | undefined
}): string | undefined => {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = environment
  const known = [XDG_CACHE_HOME, LOCALAPPDATA, HOME === undefined ? undefined : join(HOME, ".cache")]
  return known.find((folder) => folder !== undefined && isAbsolute(folder))
}

/**
 * Keeps compiled code between starts, in the user's cache folder unless `NODE_COMPILE_CACHE` names another: half of a start is
 * compiling. The common temporary folder is not used, because other users could leave code there. This concerns modules that
 * are imported after this call; where the folder cannot be written, nothing is kept.
 */
export const keepCompiledCode = (): void => {
  const folder = cacheFolder(process.env)
  if (folder !== undefined) enableCompileCache(join(folder, "docflow", "compiled"))
}

/** The setting of V8 for how often a function has been called when the thorough, slow compiler takes it; 3,000 unless it is set. */
const setting = "--invocation-count-for-turbofan"
const calls = 20_000

/**
 * Lets V8 compile thoroughly only what runs very often. Otherwise the service spends up to 2 ms of CPU on that for each of its first
 * thousands of documents, most of it for functions that a document calls once or twice. Loops that run long are compiled as early
 * as before, and a setting of the operator stays.
 */
export const compileThoroughlyLate = (): void => {
  const isSet = process.execArgv.some((flag) => flag.startsWith(setting))
  if (!isSet) setFlagsFromString(`${setting}=${calls}`)
}
