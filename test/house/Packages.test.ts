import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { read, root } from "./Files.ts"
import { isAccepted, licenceOf } from "./Licences.ts"
import { lockEntries, lockedLinks } from "./Lock.ts"

const manifest: {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
  scarfSettings: { enabled: boolean }
} = JSON.parse(read("package.json"))
const openApiTools: { devDependencies: Record<string, string> } = JSON.parse(
  read("scripts/openapi/package.json")
)
const entries = lockEntries()
const installScript = fileURLToPath(new URL("node_modules/onnxruntime-node/script/install.js", root))
const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? path

describe("packages", () => {
  it("are pinned to exact versions", () => {
    const all = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
      ...openApiTools.devDependencies
    })
    expect(all.length).toBeGreaterThan(10)
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it("come from whichever registry is set up: the lock file names none, and a checksum holds each", () => {
    expect(entries.filter((entry) => entry.resolved !== undefined).map((entry) => entry.path)).toEqual([])
    expect(entries.filter((entry) => entry.integrity === undefined).map((entry) => entry.path)).toEqual([])
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
    expect(Object.keys(manifest.allowScripts).filter((name) => !scripted.includes(name))).toEqual([])
  })

  it("report no use: the package that would is told so by npm that knows no list", () => {
    expect(manifest.allowScripts["@scarf/scarf"]).toBe(false)
    expect(manifest.scarfSettings).toEqual({ enabled: false })
  })

  it("download nothing: the script that would fetch CUDA is forbidden, and ends at once with npm that knows no list", () => {
    expect(manifest.allowScripts["onnxruntime-node"]).toBe(false)
    // Further down, npm ci would call the lock file out of date; npm install --package-lock-only once more moves it here.
    expect(lockedLinks()).toContain("node_modules/global-agent")
    const script = spawnSync(process.execPath, [installScript], {
      env: {},
      encoding: "utf8",
      timeout: 60_000
    })
    expect(script).toMatchObject({ status: 0, stderr: "" })
  })

  it("that users get have a licence that lets them use docflow anywhere", () => {
    const refused = entries
      .filter((entry) => entry.dev !== true)
      .map((entry) => `${nameOf(entry.path)}: ${licenceOf(entry)}`)
      .filter((line) => !isAccepted(line.split(": ")[1] ?? ""))
    expect(refused).toEqual([])
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
