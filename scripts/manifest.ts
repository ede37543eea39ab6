/**
 * Turns `package.json` into what is published (`published`), or back into what a clone has (`source`).
 *
 * In a clone, `import { Docflow } from "docflow"` reads the sources, so there is nothing to build. Node refuses to run
 * TypeScript inside `node_modules`, so what is published must name `dist/`. It also depends on none of the packages that
 * `dist/node_modules` contains. `npm pack` and `npm publish` switch before and after they make the package; npm has no
 * setting of its own for this. A second argument names another package.json.
 */
import { globSync } from "node:fs"
import { copyFile, readFile, rename, writeFile } from "node:fs/promises"

const root = new URL("../", import.meta.url)
const own = new URL("package.json", root)
const kept = new URL("node_modules/.docflow.json", root)

const built = (target: string): string =>
  target.replace(/^\.\/(?=dsl|src)/, "./dist/").replace(/\.ts$/, ".js")

const publish = async (file: string | URL) => {
  const manifest: {
    exports: Record<string, string>
    dependencies: Record<string, string>
    [member: string]: unknown
  } = JSON.parse(await readFile(file, "utf8"))
  for (const [name, target] of Object.entries(manifest.exports)) manifest.exports[name] = built(target)
  const contained = new URL("dist/node_modules/", root)
  for (const path of globSync("{*,@*/*}/package.json", { cwd: contained }))
    delete manifest.dependencies[path.replaceAll("\\", "/").replace(/\/package\.json$/, "")]
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

const [direction, file] = process.argv.slice(2)
if (direction === "published") {
  if (file === undefined) await copyFile(own, kept)
  await publish(file ?? own)
} else if (direction === "source") await rename(kept, own)
else throw new Error("usage: node scripts/manifest.ts published|source [package.json]")
