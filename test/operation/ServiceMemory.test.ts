import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { withMemorySettings } from "../../src/app/ProcessStart.ts"

const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072"
}

test("a program without settings of memory gets them in addition to what it has", () => {
  expect(withMemorySettings({ environment: { HOME: "/home/ada" }, flags: ["--import=x"] })).toEqual({
    environment: { HOME: "/home/ada", ...allocator },
    flags: [
      "--import=x",
      "--max-semi-space-size=32",
      "--heap-growing-percent=100",
      "--no-parallel-scavenge",
      "--expose-gc",
      "--disable-sigusr1"
    ]
  })
})

test("a container with less than a GB gets a small young generation, and collects the old one early", () => {
  const { flags } = withMemorySettings({ environment: {}, flags: [] }, 512) ?? {}
  expect(flags).toEqual([
    "--max-semi-space-size=8",
    "--no-parallel-scavenge",
    "--expose-gc",
    "--disable-sigusr1"
  ])
})

test("settings of the operator stay", () => {
  const environment = { MALLOC_ARENA_MAX: "8", NODE_OPTIONS: "--max-semi-space-size=64" }
  expect(withMemorySettings({ environment, flags: [] })).toEqual({
    environment: { ...allocator, ...environment },
    flags: ["--heap-growing-percent=100", "--no-parallel-scavenge", "--expose-gc", "--disable-sigusr1"]
  })
})

test("flags of the operator stay, whatever they say", () => {
  const flags = ["--parallel-scavenge", "--max-semi-space-size=64", "--heap-growing-percent=50"]
  expect(withMemorySettings({ environment: {}, flags })?.flags).toEqual([
    ...flags,
    "--expose-gc",
    "--disable-sigusr1"
  ])
})

test("a program with all settings is left alone, so it starts again only once", () => {
  expect(withMemorySettings({ environment: allocator, flags: [] })).toBeUndefined()
})

test("the service starts again as the same process, with its arguments", async () => {
  const report = "console.log(process.pid, process.env.MALLOC_ARENA_MAX, ...process.execArgv.slice(2))"
  const flags = ["--import", `data:text/javascript,${encodeURIComponent(report)}`]
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, "src/cli/Main.ts", "serve", "--help"],
    { env: environment }
  )
  const [first = "", second, ...help] = stdout.split("\n")
  const [pid] = first.split(" ")
  expect(first).toMatch(/^\d+ undefined$/u)
  expect(second).toBe(
    `${pid} 2 --max-semi-space-size=32 --heap-growing-percent=100 --no-parallel-scavenge --expose-gc --disable-sigusr1`
  )
  expect(help.join(" ")).toContain("DOCFLOW_PORT")
})

test("what the start left is collected at once", async () => {
  const script = `
    import { Effect } from "effect"
    import { collectWhatStartLeft } from "./src/app/ProcessStart.ts"
    let left = Array.from({ length: 4 }, () => new ArrayBuffer(2 ** 24))
    const before = process.memoryUsage().arrayBuffers
    left = undefined
    Effect.runSync(collectWhatStartLeft)
    console.log(before - process.memoryUsage().arrayBuffers >= 2 ** 26)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    "--input-type=module",
    "--eval",
    script
  ])
  expect(stdout).toBe("true\n")
})
