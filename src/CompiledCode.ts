import { enableCompileCache } from "node:module"
import { isAbsolute, join } from "node:path"

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
