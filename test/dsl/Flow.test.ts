import { Result } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { Flow, fromYaml, Ref, toYaml } from "../../dsl/index.ts"
import type { DocumentIR } from "../../src/domain/DocumentIR.ts"
import { validate } from "../../src/steps/Validate.ts"
import { extract, head, parse, registry, sha256 } from "./Support.ts"

const read = Flow.step("read", parse, { ocr: "auto" }, { timeout: "2m" })
const fields = Flow.step("fields", extract, {
  document: read.output.at("document"),
  fields: { number: { type: "string", required: true } }
})
const checks = Flow.stepIf(Flow.expression("steps.read.wordCount > 0"), "checks", validate, {
  rules: [
    {
      that: Flow.expression<boolean>("size(steps.fields.values.number) > 3"),
      else: `Too short: ${read.output.at("wordCount")}`
    }
  ]
})
const flow = Flow.make({
  id: "invoice",
  version: "1.0.0",
  name: "Invoice",
  document: { formats: ["application/pdf"] },
  steps: [read, fields, checks],
  output: {
    value: {
      model: fields.output.at("model"),
      valid: checks.output.at("valid"),
      name: Flow.document.at("filename")
    }
  }
})

describe("a flow in TypeScript", () => {
  it("is the flow that its YAML says", () => {
    expect(toYaml(flow)).toBe(`docflow: 1
${head.replace("docflow: 1\n", "").replace("document: { formats: [application/pdf] }", "document:\n  formats: [ application/pdf ]")}steps:
  - id: read
    uses: parse
    with: { ocr: auto }
    timeout: 2m
  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      fields:
        number: { type: string, required: true }
  - id: checks
    uses: validate
    if: \${{ steps.read.wordCount > 0 }}
    with:
      rules:
        - that: \${{ size(steps.fields.values.number) > 3 }}
          else: "Too short: \${{ steps.read.wordCount }}"
output:
  value:
    model: \${{ steps.fields.model }}
    valid: \${{ steps.checks.valid }}
    name: \${{ input.document.filename }}
`)
    expect(Result.getOrThrow(fromYaml(toYaml(flow), "f"))).toMatchObject(flow)
  })

  it("passes the check", () => {
    expect(Result.isSuccess(Flow.check(flow, { file: "f", registry, sha256 }))).toBe(true)
  })

  it("has typed references", () => {
    expectTypeOf(read.output.at("document")).toEqualTypeOf<Ref<DocumentIR>>()
    expectTypeOf(read.output.at("document").at("extras").at("pageCount")).toEqualTypeOf<Ref<number>>()
    expectTypeOf(checks.output.at("valid")).toEqualTypeOf<Ref<boolean | null>>()
    expectTypeOf(Flow.document.at("filename")).toEqualTypeOf<Ref<string | null>>()
    // @ts-expect-error there is no such field
    read.output.at("documnt")
    // @ts-expect-error a number where a document is wanted
    Flow.step("other", extract, { document: read.output.at("wordCount"), fields: {} })
    // @ts-expect-error not a value of `ocr`
    Flow.step("other", parse, { ocr: "aut" })
  })

  it("quotes names that are not identifiers", () => {
    expect(new Ref<{ readonly "a-b": number }>("x").at("a-b").expression).toBe('x["a-b"]')
  })
})
