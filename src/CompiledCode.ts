import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"

/**
 * Keeps compiled code between starts, in the user's cache folder unless `NODE_COMPILE_CACHE` names another: half of a start is
 * compiling. Not in the common temporary folder, where other users could leave code. Modules that are imported after this
 * call profit; where the folder cannot be written, nothing is kept.
 */
export const keepCompiledCode = (): void => {
  enableCompileCache(join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "docflow", "compiled"))
}
