import { Result, Schema } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { Flow, FlowLibrary, fromYaml, type Ref, StepRegistry, toYaml } from "../../dsl/index.ts"
import { flow as flowKind } from "../../src/steps/Flow.ts"
import { lookup } from "../../src/steps/Lookup.ts"
import { transform } from "../../src/steps/Transform.ts"
import { parse, sha256 } from "./Support.ts"

const Company = Schema.Struct({ name: Schema.String, employees: Schema.Int })
const Inner = Schema.Struct({ total: Schema.Finite })

const safe = Flow.orNull(Flow.step("safe", parse, { ocr: "auto" }))
const both = Flow.orElse(
  Flow.parallel("both", { left: [Flow.step("left", parse, { ocr: "auto" })] }),
  (error) => [Flow.stepGiving("instead", transform, Schema.String, { value: error.at("message") })]
)
const company = Flow.stepGiving("company", lookup, Schema.Struct({ status: Schema.Int, body: Company }), {
  url: "https://crm.example/companies",
  query: { q: "x" },
  expect: Flow.jsonSchema(Company)
})
const called = Flow.stepGiving("called", flowKind, Inner, {
  flow: "inner",
  document: Flow.document,
  variables: { name: company.output.at("body").at("name") }
})
const outer = Flow.make({
  id: "outer",
  version: "1.0.0",
  name: "Outer",
  document: { formats: ["application/pdf"] },
  steps: [safe, both, company, called],
  output: {
    value: {
      words: safe.output.at("wordCount"),
      employees: company.output.at("body").at("employees"),
      total: called.output.at("total")
    }
  }
})
const inner = Flow.make({
  id: "inner",
  version: "1.0.0",
  name: "Inner",
  document: { formats: ["application/pdf"] },
  variables: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  steps: [Flow.stepGiving("sum", transform, Schema.Finite, { value: 1 })],
  output: { schema: Flow.jsonSchema(Inner), value: { total: Flow.expression<number>("steps.sum") } }
})

const text = (id: string, source: typeof outer) => ({
  id,
  version: "1.0.0",
  file: `${id}.yaml`,
  text: toYaml(source)
})
const problemsOf = (source: typeof outer) =>
  Result.match(
    new FlowLibrary([text("inner", inner)], {
      registry: StepRegistry.make([parse, transform, lookup, flowKind]),
      sha256
    }).check(text("outer", source)),
    { onSuccess: () => [], onFailure: (problems) => problems.map(({ message }) => message) }
  )

describe("failures, lookups and flows in TypeScript", () => {
  it("make a flow that the checker knows, and that is the same from its YAML", () => {
    expect(problemsOf(outer)).toEqual([])
    const read = Result.getOrThrow(fromYaml(toYaml(outer), "outer.yaml"))
    expect(toYaml(read)).toContain("onError: continue")
    expect(read.steps[1]?.onError).toMatchObject([{ id: "instead", uses: "transform" }])
  })

  it("are typed", () => {
    expectTypeOf(safe.output.at("wordCount")).toEqualTypeOf<Ref<number | null>>()
    expectTypeOf(both.output).toEqualTypeOf<
      Ref<{ readonly left: (typeof parse)["output"]["Type"] } | string>
    >()
    expectTypeOf(company.output.at("body").at("employees")).toEqualTypeOf<Ref<number>>()
    expectTypeOf(called.output.at("total")).toEqualTypeOf<Ref<number>>()
    // @ts-expect-error the company has no such field
    expect(company.output.at("body").at("employes")).toBeDefined()
    // @ts-expect-error the flow gives no such field
    expect(called.output.at("sum")).toBeDefined()
  })

  it("are found out where the author's word is wrong", () => {
    const wrong = Flow.stepGiving("called", flowKind, Schema.Struct({ sum: Schema.Finite }), {
      flow: "inner",
      document: Flow.document,
      variables: { name: "x" }
    })
    const source = Flow.make({
      ...outer,
      steps: [wrong],
      output: { value: { total: wrong.output.at("sum") } }
    })
    expect(problemsOf(source)).toEqual([expect.stringContaining("sum")])
  })
})
