/**
 * Points the package's `exports` at the built JavaScript (`dist`) or back at the TypeScript sources (`source`).
 *
 * In a clone, `import { Docflow } from "docflow"` reads the sources, so there is nothing to build. Node refuses to run
 * TypeScript inside `node_modules`, so what is published must name `dist/`. `npm pack` and `npm publish` switch before and
 * after they make the package; npm has no setting of its own for this. A second argument names another package.json.
 */
import { readFile, writeFile } from "node:fs/promises"

const toBuilt = (target: string): string =>
  target.replace(/^\.\/(?=dsl|src)/, "./dist/").replace(/\.ts$/, ".js")
const toSource = (target: string): string => target.replace(/^\.\/dist\//, "./").replace(/\.js$/, ".ts")

const direction = process.argv[2]
if (direction !== "dist" && direction !== "source") {
  throw new Error("usage: node scripts/exports.ts dist|source")
}
const pointed = direction === "dist" ? toBuilt : toSource
const file = process.argv[3] ?? new URL("../package.json", import.meta.url)
const text = await readFile(file, "utf8")
const manifest: { exports: Record<string, string> } = JSON.parse(text)
for (const [name, target] of Object.entries(manifest.exports)) {
  manifest.exports[name] = pointed(target)
}
await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
