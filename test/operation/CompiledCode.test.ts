import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, inject, test } from "vitest"
import { cacheFolder } from "../../src/app/ProcessStart.ts"

test.each([
  [{ XDG_CACHE_HOME: "/caches", HOME: "/home/ada" }, "/caches"],
  [{ HOME: "/home/ada" }, "/home/ada/.cache"],
  [{ XDG_CACHE_HOME: "", HOME: "/home/ada" }, "/home/ada/.cache"],
  [{ HOME: "" }, undefined],
  [{ XDG_CACHE_HOME: "here", HOME: "." }, undefined],
  [{}, undefined]
])(
  "compiled code of a user with %j is kept in a folder of that user, and never in the current one",
  (environment, folder) => {
    expect(cacheFolder(environment)).toBe(folder)
  }
)

test("a thread keeps compiled code where the process does, and sees no other setting", async () => {
  const script = `
    import { enableCompileCache } from "node:module"
    import { threadEnvironment } from "./src/support/ThreadEnvironment.ts"
    const before = threadEnvironment()
    enableCompileCache(process.env.KEPT_IN)
    console.log(JSON.stringify([before, threadEnvironment()]))`
  const folder = inject("folder")
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    env: { KEPT_IN: folder }
  })
  expect(JSON.parse(stdout)).toEqual([{}, { NODE_COMPILE_CACHE: folder }])
})

/** How a function was compiled that was called 15,000 times, with these options of Node.js. */
const compilers = async (...options: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const script = `
    import { compileThoroughlyLate } from "./src/app/ProcessStart.ts"
    compileThoroughlyLate()
    const called = (n) => {
      let sum = 0
      for (let i = 0; i < 3; i++) sum += (n * i) % 7
      return sum
    }
    let sum = 0
    for (let round = 0; round < 150; round++) {
      for (let call = 0; call < 100; call++) sum += called(call)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }`
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...options,
    "--trace-opt",
    "--input-type=module",
    "--eval",
    script
  ])
  const lines = stdout.split("\n").filter((line) => line.includes("<JSFunction called"))
  return [...new Set(lines.map((line) => /MAGLEV|TURBOFAN/u.exec(line)?.[0] ?? ""))].filter(
    (compiler) => compiler !== ""
  )
}

test("V8's thorough compiler waits until a function has been called very often, unless the operator decides otherwise", async () => {
  expect(await compilers()).toEqual(["MAGLEV"])
  expect(await compilers("--invocation-count-for-turbofan=3000")).toEqual(["MAGLEV", "TURBOFAN"])
})
