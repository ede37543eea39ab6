import { describe, expect, it } from "vitest"
import { read, typescriptIn } from "./Files.ts"
import { importsOf, packageOf } from "./Imports.ts"
import { floorOf, floors, type Layer, layerOf, mayImport, mayUse } from "./Layers.ts"

const files = typescriptIn("src", "dsl")
const manifest = JSON.parse(read("package.json"))
const dependencies: ReadonlyArray<string> = Object.keys({
  ...manifest.dependencies,
  ...manifest.optionalDependencies
})

const mayEnter = (from: Layer, to: Layer): boolean => {
  const layers: ReadonlyArray<string> | "everything" = mayImport[from]
  return layers === "everything" || from === to || layers.includes(to)
}

const mayTake = (layer: Layer, name: string): boolean => {
  const allowed = mayUse[layer]
  if (allowed !== undefined) return allowed.includes(name)
  return name.startsWith("node:") || dependencies.includes(name)
}

/** Whether an import within a layer goes down, or stays on its floor. */
const isBelow = (from: string, to: string): boolean => {
  const [upper, lower] = [floorOf(from), floorOf(to)]
  if (upper === undefined || lower === undefined || upper.layer !== lower.layer) return true
  const order = floors[upper.layer] ?? []
  return order.includes(lower.floor) && order.indexOf(lower.floor) <= order.indexOf(upper.floor)
}

/** What is wrong with one file's imports, one sentence each. */
const problems = (file: string, source: string): ReadonlyArray<string> => {
  const layer = layerOf(file)
  if (layer === undefined) return [`${file} is in no layer: add the layer to test/house/Layers.ts`]
  return importsOf(file, source).flatMap((found) => {
    if (found.kind === "package") {
      const name = packageOf(found.name)
      return mayTake(layer, name) ? [] : [`${file}: ${layer} may not use the package ${name}`]
    }
    const target = layerOf(found.path)
    if (target === undefined) return [`${file}: ${found.path} is in no layer`]
    if (!mayEnter(layer, target)) return [`${file}: ${layer} may not import ${target} (${found.path})`]
    return isBelow(file, found.path)
      ? []
      : [`${file}: ${found.path} is on a higher floor (test/house/Layers.ts)`]
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
    ["src/domain/FlowItem.ts", `import { Api } from "../api/Api.ts"`],
    ["src/domain/FlowItem.ts", `import * as Fs from "node:fs"`],
    ["src/api/RunsApi.ts", `export * from "../engine/Journal.ts"`],
    ["dsl/check/Check.ts", `import type { Journal } from "../../src/engine/journal/Journal.ts"`],
    ["dsl/check/Check.ts", `import { fileTypeFromBuffer } from "file-type"`],
    ["src/steps/Extract.ts", `import {\n  OpenAi\n} from "../providers/llm/OpenAiModel.ts"`],
    ["src/http/Runs.ts", `const { all } = await import("../steps/All.ts")`],
    ["src/engine/journal/Journal.ts", `import { it } from "vitest"`],
    ["src/document/Pool.ts", `new Worker(new URL("../engine/Worker.ts", import.meta.url))`],
    ["src/services/storage/Audit.ts", `import { Flows } from "../flows/Flows.ts"`],
    ["src/services/unknown/Unknown.ts", `import { Flows } from "../flows/Flows.ts"`],
    ["dsl/types/Type.ts", `import { check } from "../check/Check.ts"`],
    ["src/utils/strings.ts", ``]
  ])("refuses in %s: %s", (file, source) => {
    expect(problems(file, source)).toHaveLength(1)
  })

  it.each([
    ["src/main.ts", `import { all } from "./steps/All.ts"`],
    ["src/services/executions/Executions.ts", `import { Journal } from "../../engine/Journal.ts"`],
    ["src/services/executions/Acceptance.ts", `import * as Fs from "node:fs"`],
    [
      "src/domain/FlowItem.ts",
      `/**\n * import { Docflow } from "docflow"\n */\nimport { Schema } from "effect"`
    ]
  ])("allows in %s: %s", (file, source) => {
    expect(problems(file, source)).toEqual([])
  })
})
