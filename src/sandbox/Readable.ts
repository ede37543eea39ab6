import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/** A path and, if it is a link, its target. */
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

/** The folders of a package with its program: the sources, or what is built from them. */
const programFolders = ["src", "dsl", "dist"]

/** What Node.js itself and native modules load. */
export const systemPaths: ReadonlyArray<string> = [
  "/usr",
  "/bin",
  "/lib",
  "/lib64",
  "/nix/store",
  "/etc/ld.so.cache",
  // The number of processors, which onnxruntime and libvips read.
  "/sys/devices/system/cpu"
]
