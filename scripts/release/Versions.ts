import { readFile, writeFile } from "node:fs/promises"
import { run } from "./RunProgram.ts"

/** The files that have the version, with a pattern of three groups; the second is the version. */
const places = [
  ["package.json", /("version": ")([^"]+)(")/u],
  ["src/support/Version.ts", /(version = ")([^"]+)(")/u],
  ["clients/typescript/package.json", /("version": ")([^"]+)(")/u],
  ["clients/python/pyproject.toml", /(^version = ")([^"]+)(")/mu]
] as const

const changelog = "CHANGELOG.md"

/** Writes a version into every file that has it, and makes the unreleased changes of the changelog those of the version. */
export const setVersion = async (version: string): Promise<void> => {
  if (!/^\d+\.\d+\.\d+$/u.test(version)) throw new Error(`"${version}" is not a version, such as 1.2.0`)
  const changes = await readFile(changelog, "utf8")
  if (!changes.includes("\n## Unreleased\n")) throw new Error(`${changelog} has no section Unreleased`)
  const today = new Date().toISOString().slice(0, 10)
  await writeFile(changelog, changes.replace("\n## Unreleased\n", `\n## ${version} - ${today}\n`))
  for (const [file, pattern] of places) {
    const text = await readFile(file, "utf8")
    await writeFile(
      file,
      text.replace(pattern, (_, before: string, _old, after: string) => before + version + after)
    )
  }
  run("npm", ["install", "--package-lock-only", "--ignore-scripts"])
}

/** The version, which is the same in every file and has a section of the changelog; throws otherwise. */
export const checkedVersion = async (): Promise<string> => {
  const found = await Promise.all(
    places.map(async ([file, pattern]) => [file, pattern.exec(await readFile(file, "utf8"))?.[2]] as const)
  )
  const [[, version = "none"] = []] = found
  const others = found.filter(([, one]) => one !== version)
  if (others.length > 0)
    throw new Error(`The version is not ${version} in ${others.map(([file]) => file).join(", ")}`)
  if (!(await readFile(changelog, "utf8")).includes(`\n## ${version} - `))
    throw new Error(`${changelog} has no section ${version}`)
  return version
}
