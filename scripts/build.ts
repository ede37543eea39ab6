/**
 * Builds `dist/`: the compiled `src/` and `dsl/` with their declarations, and the files they read at run time, in the places
 * where a clone has them, so that a path relative to a module is right in both.
 *
 * `dist/node_modules` contains the OCR engines and their language data, without what docflow never reads: from npm, they
 * would take 600 MB, and the install script of `onnxruntime-node` downloads CUDA, or fails where it cannot. A clone has the
 * engine for its own platform only; `--all-platforms` fetches the others.
 */
import { spawnSync } from "node:child_process"
import { chmod, cp, mkdtemp, readFile, rm } from "node:fs/promises"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = new URL("../", import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, root))

await rm(path("dist"), { recursive: true, force: true })
const run = (command: string, words: ReadonlyArray<string>, env = process.env) => {
  const { status } = spawnSync(command, words, { stdio: ["ignore", "ignore", "inherit"], env })
  if (status !== 0) process.exit(status ?? 1)
}
const compile = (project: string) => {
  // Types are checked by `npm run check`, this project's among them.
  run(process.execPath, [path("node_modules/typescript/bin/tsc"), "--noCheck", "-p", path(project)])
}
compile("tsconfig.build.json")
// What runs in a browser knows other types than what runs on a server.
compile("src/dashboard/client/tsconfig.build.json")

const isAsset = (file: string) => !/\.[cm]?tsx?$|\/tsconfig[^/]*\.json$/.test(file)
for (const folder of ["src", "dsl", "flows", "examples"]) {
  if (existsSync(path(folder)))
    await cp(path(folder), path(`dist/${folder}`), { recursive: true, filter: isAsset })
}

const command = path("dist/src/cli/Main.js")
if (existsSync(command)) await chmod(command, 0o755)

/** The engines, and the packages that they read at run time. */
const engines = [
  "onnxruntime-node",
  "onnxruntime-common",
  "tesseract.js",
  "tesseract.js-core",
  "bmp-js",
  "is-url",
  "regenerator-runtime",
  "wasm-feature-detect"
]
const manifest: { dependencies: Record<string, string> } = JSON.parse(
  await readFile(path("package.json"), "utf8")
)
const languages = Object.keys(manifest.dependencies).filter((name) => name.startsWith("@tesseract.js-data/"))
for (const name of [...engines, ...languages])
  await cp(path(`node_modules/${name}`), path(`dist/node_modules/${name}`), { recursive: true })
if (process.argv.includes("--all-platforms")) {
  const name = "onnxruntime-node"
  const folder = await mkdtemp(join(tmpdir(), "docflow-build-"))
  const spec = `${name}@${manifest.dependencies[name]}`
  // `npm pack --dry-run`, which runs this before it lists files, would pass its flags on.
  run("npm", ["pack", spec, "--pack-destination", folder], { ...process.env, npm_config_dry_run: "false" })
  run("tar", ["-xzf", join(folder, `${spec.replace("@", "-")}.tgz`), "-C", folder])
  await cp(join(folder, "package/bin"), path(`dist/node_modules/${name}/bin`), { recursive: true })
  await rm(folder, { recursive: true })
}
run(process.execPath, [path("scripts/prune.js"), path("dist/node_modules"), "--all-platforms"])
