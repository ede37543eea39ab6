/**
 * Removes what docflow never reads from the packages that it keeps on disk: 500 MB of a clone. It runs after `npm ci` in a
 * clone, and after `npm install` of the published package, where it touches only the copies inside docflow's own folder.
 *
 *     node scripts/prune.js                                  the packages of this folder
 *     node scripts/prune.js <node_modules> --all-platforms   another folder; builds for every platform stay
 *
 * It is JavaScript because Node.js refuses to run TypeScript inside `node_modules`.
 */
import { existsSync, globSync, rmSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const [given, flag] = process.argv.slice(2)
const folders = given === undefined ? [join(root, "node_modules"), join(root, "dist/node_modules")] : [given]
const host = join("napi-v6", process.platform, process.arch)

/** What is never read, with exceptions. */
const unread = [
  // The network that docflow uses is in `4.0.0_best_int`; this is the older engine.
  { files: "@tesseract.js-data/*/4.0.0" },
  // Node.js loads the cores for both networks, as WebAssembly beside their JavaScript.
  { files: "tesseract.js-core/*.wasm.js" },
  { files: "tesseract.js-core/*-lstm.wasm" },
  // Headers for compiling add-ons.
  { files: "node/node_modules/*/include" },
  // A copy of libonnxruntime.1.dylib, which is the name that the add-on loads.
  { files: "onnxruntime-node/bin/napi-v6/darwin/*/libonnxruntime.1.*.dylib" },
  {
    files: "onnxruntime-node/bin/napi-v6/*/*",
    keep: (name) => flag === "--all-platforms" || name.endsWith(sep + host)
  }
]

for (const folder of folders.filter(existsSync))
  for (const { files, keep = () => false } of unread)
    for (const name of globSync(files, { cwd: folder }))
      if (!keep(name)) rmSync(join(folder, name), { recursive: true, force: true })
