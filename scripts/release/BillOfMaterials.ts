import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"
import { run } from "./RunProgram.ts"

const decodeObject = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)
const Lock = Schema.Struct({
  packages: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown))
})

/** The packages that users install, as CycloneDX. */
export const billOfMaterials = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-release-"))
  // npm names the product after the folder.
  const apart = join(folder, "docflow")
  await mkdir(apart)
  const { devDependencies: _tools, ...described } = decodeObject(await readFile("package.json", "utf8"))
  const lock = decodeObject(await readFile("package-lock.json", "utf8"))
  const packages = Object.entries(Schema.decodeUnknownSync(Lock)(lock).packages).flatMap(([path, entry]) => {
    if (entry["dev"] === true) return []
    const { devDependencies: _own, ...kept } = entry
    return [[path, kept] as const]
  })
  await writeFile(join(apart, "package.json"), JSON.stringify(described))
  await writeFile(
    join(apart, "package-lock.json"),
    JSON.stringify({ ...lock, packages: Object.fromEntries(packages) })
  )
  const bill = run(
    "npm",
    ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"],
    apart
  )
  await rm(folder, { recursive: true })
  return bill
}
