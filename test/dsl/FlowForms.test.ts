import { Result } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { Flow, type Ref } from "../../dsl/index.ts"
import { fail } from "../../src/steps/Fail.ts"
import { parse, extract, registry, sha256 } from "./Support.ts"

const read = Flow.step("read", parse, { ocr: "auto" })
const both = Flow.parallel("both", {
  left: [Flow.step("again", parse, { ocr: "never" })],
  right: [
    Flow.step("other", parse, { ocr: "auto" }),
    Flow.step("fields", extract, { document: read.output.at("document"), fields: {} })
  ]
})
const pages = Flow.forEach(
  "pages",
  Flow.expression<ReadonlyArray<{ readonly width: number }>>("steps.read.document.pages"),
  (page, index) => [
    Flow.groupIf(Flow.expression(`${page.at("width").expression} > ${index.expression}`), "wide", [
      Flow.step("inner", parse, { ocr: "auto" })
    ])
  ],
  { as: "page", concurrency: 3 }
)
const chosen = Flow.choose(
  "chosen",
  [
    {
      when: Flow.expression("steps.both.left.pageCount > 1"),
      steps: [Flow.step("many", parse, { ocr: "auto" })]
    }
  ],
  [Flow.step("stop", fail, { message: "One page" })]
)

describe("control forms in TypeScript", () => {
  it("make the flow that the checker knows", () => {
    const flow = Flow.make({
      id: "forms",
      version: "1.0.0",
      name: "Forms",
      document: { formats: ["application/pdf"] },
      steps: [read, both, pages, chosen],
      output: {
        value: {
          model: both.output.at("right").at("model"),
          pages: pages.output,
          words: chosen.output.at("wordCount")
        }
      }
    })
    const checked = Flow.check(flow, { file: "forms.yaml", registry, sha256 })
    expect(Result.isFailure(checked) ? checked.failure : []).toEqual([])
    expect(flow.steps.map((step) => Object.keys(step))).toEqual([
      ["id", "uses", "with"],
      ["id", "parallel"],
      ["id", "forEach"],
      ["id", "switch"]
    ])
  })

  it("know the types of what they give", () => {
    expectTypeOf(both.output.at("right").at("model")).toEqualTypeOf<Ref<string>>()
    expectTypeOf(both.output.at("left").at("pageCount")).toEqualTypeOf<Ref<number>>()
    expectTypeOf(chosen.output.at("wordCount")).toEqualTypeOf<Ref<number | null>>()
    expectTypeOf(pages.output.type).toExtend<
      ReadonlyArray<{ readonly wordCount: number } | null> | undefined
    >()
    // @ts-expect-error there is no such branch
    expect(both.output.at("middle")).toBeDefined()
    // @ts-expect-error the output of the branch has no such field
    expect(both.output.at("left").at("modle")).toBeDefined()
  })
})
