/**
 * Prints what publint and "are the types wrong" find in a package, which is in the folder that the argument names. What
 * CommonJS and node10 would find does not count: docflow consists of ES modules, with `exports`.
 */
import { checkPackage, Package } from "@arethetypeswrong/core"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { publint } from "publint"

const folder = process.argv[2]
const { messages } = await publint({ pkgDir: folder, pack: false, strict: true })

const names = globSync("{package.json,dist/{src,dsl}/**/*.{js,json,d.ts}}", { cwd: folder })
const files = names.map((name) => [`/node_modules/docflow/${name}`, readFileSync(join(folder, name), "utf8")])
const checked = await checkPackage(new Package(Object.fromEntries(files), "docflow", "0.1.0"))
const wrongTypes = checked.types
  ? checked.problems.filter(({ resolutionKind }) => !["node10", "node16-cjs"].includes(resolutionKind))
  : ["no types"]

console.log(JSON.stringify([...messages, ...wrongTypes]))
