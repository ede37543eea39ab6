/**
 * Builds `dist/`: the compiled `src/` and `dsl/` with their declarations, and the files they read at run time, in the places
 * where a clone has them, so that a path relative to a module is right in both.
 */
import { spawnSync } from "node:child_process"
import { chmod, cp, rm } from "node:fs/promises"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = new URL("../", import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, root))

await rm(path("dist"), { recursive: true, force: true })
const compile = (project: string) => {
  // Types are checked by `npm run check`, this project's among them.
  const words = [path("node_modules/typescript/bin/tsc"), "--noCheck", "-p", path(project)]
  const tsc = spawnSync(process.execPath, words, { stdio: "inherit" })
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
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
