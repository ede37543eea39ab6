/**
 * Makes what a release consists of, in `release/`: the packages of docflow and its client, a bill of materials (CycloneDX) and
 * checksums. It refuses when versions differ or the changelog does not have the version. Nothing is published.
 *
 * node scripts/release.ts
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"

const target = "release"

const run = (command: string, args: ReadonlyArray<string>, cwd = "."): string => {
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(" ")} failed:\n${stderr}`)
}

const decodeObject = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)
const decodeMembers = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))
const Lock = Schema.Struct({
  packages: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown))
})

/**
 * The packages that users install, as CycloneDX. The package in `scripts/no-download` is left out: it takes the place of one
 * that another package asks for in another version, which npm refuses to list.
 */
const billOfMaterials = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-release-"))
  // npm names the product after the folder.
  const apart = join(folder, "docflow")
  await mkdir(apart)
  const {
    devDependencies: _tools,
    overrides: _overrides,
    ...described
  } = decodeObject(await readFile("package.json", "utf8"))
  const lock = decodeObject(await readFile("package-lock.json", "utf8"))
  const packages = Object.entries(Schema.decodeUnknownSync(Lock)(lock).packages).flatMap(([path, entry]) => {
    // Tools of this repository are folders, which npm lists as links.
    const isOurs = path.startsWith("scripts/") || entry["link"] === true
    if (isOurs || entry["dev"] === true || path.endsWith("node_modules/global-agent")) return []
    const { devDependencies: _own, ...kept } = entry
    const { "global-agent": _replaced, ...dependencies } = decodeMembers(entry["dependencies"] ?? {})
    return [[path, { ...kept, dependencies }] as const]
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

/** The version in a file, by a pattern that has it as its group. */
const versionIn = async (file: string, pattern: RegExp): Promise<readonly [string, string | undefined]> => [
  file,
  pattern.exec(await readFile(file, "utf8"))?.[1]
]

const versions = await Promise.all([
  versionIn("package.json", /"version": "([^"]+)"/u),
  versionIn("src/cli/Version.ts", /version = "([^"]+)"/u),
  versionIn("clients/typescript/package.json", /"version": "([^"]+)"/u),
  versionIn("clients/python/pyproject.toml", /^version = "([^"]+)"/mu)
])
const [[, version = "none"] = []] = versions
const others = versions.filter(([, one]) => one !== version)
if (others.length > 0)
  throw new Error(`The version is not ${version} in ${others.map(([file]) => file).join(", ")}`)
if (!(await readFile("CHANGELOG.md", "utf8")).includes(`\n## ${version}\n`))
  throw new Error(`CHANGELOG.md has no section ${version}`)

await rm(target, { recursive: true, force: true })
await mkdir(target)
run("npm", ["pack", "--pack-destination", target])
run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "clients/typescript"])
run("npm", ["pack", "--ignore-scripts", "--pack-destination", join("..", "..", target)], "clients/typescript")
await writeFile(join(target, "docflow.cdx.json"), await billOfMaterials())
const files = (await readdir(target)).sort()
const sums = await Promise.all(
  files.map(async (file) => {
    const sum = createHash("sha256")
      .update(await readFile(join(target, file)))
      .digest("hex")
    return `${sum}  ${file}\n`
  })
)
await writeFile(join(target, "SHA256SUMS"), sums.join(""))
console.log(`docflow ${version}: ${files.join(", ")} and SHA256SUMS in ${target}/`)
