import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { withMemorySettings } from "../../src/ServiceMemory.ts"

const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072"
}

test("a program without settings of memory gets them in addition to what it has", () => {
  expect(withMemorySettings({ environment: { HOME: "/home/ada" }, flags: ["--import=x"] })).toEqual({
    environment: { HOME: "/home/ada", ...allocator },
    flags: ["--import=x", "--max-semi-space-size=16"]
  })
})

test("settings of the operator stay", () => {
  const environment = { MALLOC_ARENA_MAX: "8", NODE_OPTIONS: "--max-semi-space-size=32" }
  expect(withMemorySettings({ environment, flags: [] })).toEqual({
    environment: { ...allocator, ...environment },
    flags: []
  })
})

test("a program with all settings is left alone, so it starts again only once", () => {
  expect(withMemorySettings({ environment: allocator, flags: [] })).toBeUndefined()
})

test("the service starts again as the same process, with its arguments", async () => {
  const report = "console.log(process.pid, process.env.MALLOC_ARENA_MAX, process.execArgv.at(-1))"
  const flags = ["--import", `data:text/javascript,${encodeURIComponent(report)}`]
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, "src/cli/Main.ts", "serve", "--help"],
    { env: environment }
  )
  const [first = "", second, ...help] = stdout.split("\n")
  const [pid] = first.split(" ")
  expect(first).toMatch(/^\d+ undefined data:/u)
  expect(second).toBe(`${pid} 2 --max-semi-space-size=16`)
  expect(help.join(" ")).toContain("DOCFLOW_PORT")
})
