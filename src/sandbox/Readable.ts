import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/** A path and, where it is a link, what it points to. */
const withTarget = (path: string): ReadonlyArray<string> =>
  existsSync(path) ? [...new Set([path, realpathSync(path)])] : []

const ancestorsOf = (folder: string): ReadonlyArray<string> =>
  dirname(folder) === folder ? [folder] : [folder, ...ancestorsOf(dirname(folder))]

/**
 * The folders that a module needs: its package, and every `node_modules` from which it can import. Nothing else of the
 * package's surroundings, in particular no data folder outside of it.
 */
export const readableFor = (module: string): ReadonlyArray<string> => {
  const ancestors = ancestorsOf(dirname(module))
  const root = ancestors.find((folder) => existsSync(join(folder, "package.json")))
  const own =
    root === undefined
      ? [dirname(module)]
      : [...programFolders, "package.json"].map((name) => join(root, name))
  return [...own, ...ancestors.map((folder) => join(folder, "node_modules"))].flatMap(withTarget)
}

/** Where a package keeps its program: the sources, or what is built from them. */
const programFolders = ["src", "dsl", "dist"]

/** What Node.js itself and native modules load. */
export const systemPaths: ReadonlyArray<string> = [
  "/usr",
  "/bin",
  "/lib",
  "/lib64",
  "/nix/store",
  "/etc/ld.so.cache",
  // How many processors there are: onnxruntime and libvips ask.
  "/sys/devices/system/cpu"
]
