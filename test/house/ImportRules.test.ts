import { describe, expect, it } from "vitest"
import { read, typescriptIn } from "./Files.ts"
import { importsOf, packageOf } from "./Imports.ts"
import { mayImport, mayUse, type Room, roomOf } from "./Rooms.ts"

const files = typescriptIn("src", "dsl")
const dependencies: ReadonlyArray<string> = Object.keys(JSON.parse(read("package.json")).dependencies)

const mayEnter = (from: Room, to: Room): boolean => {
  const rooms: ReadonlyArray<string> | "everything" = mayImport[from]
  return rooms === "everything" || from === to || rooms.includes(to)
}

const mayTake = (room: Room, name: string): boolean => {
  const allowed = mayUse[room]
  if (allowed !== undefined) return allowed.includes(name)
  return name.startsWith("node:") || dependencies.includes(name)
}

/** What is wrong with one file's imports, one sentence each. */
const problems = (file: string, source: string): ReadonlyArray<string> => {
  const room = roomOf(file)
  if (room === undefined) return [`${file} is in no room: add the room to the architecture and to this test`]
  return importsOf(file, source).flatMap((found) => {
    if (found.kind === "package") {
      const name = packageOf(found.name)
      return mayTake(room, name) ? [] : [`${file}: ${room} may not use the package ${name}`]
    }
    const target = roomOf(found.path)
    if (target === undefined) return [`${file}: ${found.path} is in no room`]
    return mayEnter(room, target) ? [] : [`${file}: ${room} may not import ${target} (${found.path})`]
  })
}

describe("who may import whom", () => {
  it("finds the files", () => {
    expect(files.length).toBeGreaterThan(10)
  })

  it("is kept by every file of src and dsl", () => {
    expect(files.flatMap((file) => problems(file, read(file)))).toEqual([])
  })

  it.each([
    ["src/domain/Flow.ts", `import { Api } from "../api/Api.ts"`],
    ["src/domain/Flow.ts", `import * as Fs from "node:fs"`],
    ["src/api/RunsApi.ts", `export * from "../engine/Journal.ts"`],
    ["dsl/Check.ts", `import type { DocumentRef } from "../src/domain/Document.ts"`],
    ["dsl/Check.ts", `import { fileTypeFromBuffer } from "file-type"`],
    ["src/steps/Extract.ts", `import {\n  OpenAi\n} from "../providers/OpenAi.ts"`],
    ["src/http/Runs.ts", `const { all } = await import("../steps/All.ts")`],
    ["src/engine/Journal.ts", `import { it } from "vitest"`],
    ["src/document/Pool.ts", `new Worker(new URL("../engine/Worker.ts", import.meta.url))`],
    ["src/utils/strings.ts", ``]
  ])("refuses in %s: %s", (file, source) => {
    expect(problems(file, source)).toHaveLength(1)
  })

  it.each([
    ["src/main.ts", `import { all } from "./steps/All.ts"`],
    ["src/Executions.ts", `import { Journal } from "./engine/Journal.ts"`],
    ["src/Executions/Accept.ts", `import * as Fs from "node:fs"`],
    ["src/domain/Flow.ts", `/**\n * import { Docflow } from "docflow"\n */\nimport { Schema } from "effect"`]
  ])("allows in %s: %s", (file, source) => {
    expect(problems(file, source)).toEqual([])
  })
})
