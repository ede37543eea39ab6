/**
 * Makes what a release consists of, in `release/`: the packages of docflow and its client, a bill of materials (CycloneDX) and
 * checksums. It refuses when versions differ or the changelog does not have the version. Nothing is published.
 *
 * node scripts/release.ts
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

const folder = "release"

const run = (command: string, args: ReadonlyArray<string>, cwd = "."): string => {
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(" ")} failed:\n${stderr}`)
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

await rm(folder, { recursive: true, force: true })
await mkdir(folder)
run("npm", ["pack", "--pack-destination", folder])
run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "clients/typescript"])
run("npm", ["pack", "--ignore-scripts", "--pack-destination", join("..", "..", folder)], "clients/typescript")
await writeFile(
  join(folder, "docflow.cdx.json"),
  run("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"])
)
const files = (await readdir(folder)).sort()
const sums = await Promise.all(
  files.map(async (file) => {
    const sum = createHash("sha256")
      .update(await readFile(join(folder, file)))
      .digest("hex")
    return `${sum}  ${file}\n`
  })
)
await writeFile(join(folder, "SHA256SUMS"), sums.join(""))
console.log(`docflow ${version}: ${files.join(", ")} and SHA256SUMS in ${folder}/`)
