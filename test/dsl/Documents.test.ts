import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { check, FlowLibrary } from "../../dsl/index.ts"
import { allSteps } from "../../src/steps/All.ts"
import { head, sha256 } from "./Support.ts"

const forged = `{ blob: ${"a".repeat(64)}, mimeType: application/pdf, size: 1, pageCount: 1 }`

/** A schema that says of a variable what only docflow's own steps can say. */
const shaped =
  "{ type: object, format: docflow-document, required: [blob, mimeType, size, pageCount], properties: " +
  "{ blob: { type: string }, mimeType: { type: string }, size: { type: integer }, pageCount: { type: integer } } }"

const variable = (schema: string) =>
  `variables: { type: object, required: [d], properties: { d: ${schema} } }\n`

const flowOf = (steps: string, top = "") =>
  `${head}${top}steps:\n${steps.replace(/^/gmu, "  ")}\noutput: { value: { done: true } }\n`

const messagesOf = (text: string) => {
  const result = check(text, { file: "f.yaml", registry: allSteps, sha256 })
  return Result.isSuccess(result) ? [] : result.failure.map(({ message, path }) => `${path}: ${message}`)
}

const quoted = (value: string) => (value.startsWith("${{") ? JSON.stringify(value) : value)
const parse = (document: string) => `- { id: read, uses: parse, with: { document: ${quoted(document)} } }`
const before = (uses: string, config: string, document: string) =>
  `- { id: one, uses: ${uses}, with: ${config} }\n${parse(document)}`

describe("where a document is wanted", () => {
  test.each([
    ["an object written in the flow", flowOf(parse(forged))],
    ["a path written in the flow", flowOf(parse(`{ blob: ../t-data/admin-token, ...forged }`))],
    ["a text", flowOf(parse("../admin-token"))],
    ["a variable of any type", flowOf(parse("${{ variables.d }}"), variable("{}"))],
    ["a variable of the shape of a document", flowOf(parse("${{ variables.d }}"), variable(shaped))],
    ["a variable from input", flowOf(parse("${{ input.variables.d }}"), variable(shaped))],
    [
      "the answer of a lookup of that shape",
      flowOf(before("lookup", `{ url: "https://crm.example/", expect: ${shaped} }`, "${{ steps.one.body }}"))
    ],
    ["an object shaped by a step", flowOf(before("transform", `{ value: ${forged} }`, "${{ steps.one }}"))],
    [
      "an object made by an expression",
      flowOf(parse('${{ {"blob": "a", "mimeType": "b", "size": 1, "pageCount": 1} }}'))
    ],
    [
      "a choice that may be one of the caller's",
      flowOf(parse("${{ true ? input.document : variables.d }}"), variable(shaped))
    ]
  ])("%s is refused", (_name, text) => {
    expect(messagesOf(text).join("\n")).toMatch(/^steps\[.*document/mu)
  })

  test("says what can be written instead", () => {
    const result = check(flowOf(parse("${{ variables.d }}"), variable(shaped)), {
      file: "f.yaml",
      registry: allSteps,
      sha256
    })
    const [problem] = Result.isFailure(result) ? result.failure : []
    expect(problem?.message).toBe("Expected a document, found an object.")
    expect(problem?.suggestion).toContain("${{ input.document }}")
  })

  test.each([
    ["the document of the run", flowOf(parse("${{ input.document }}"))],
    [
      "the same, taken through a step",
      flowOf(before("transform", '{ value: "${{ input.document }}" }', "${{ steps.one }}"))
    ],
    [
      "the same, inside what a step shaped",
      flowOf(before("transform", '{ value: { d: "${{ input.document }}" } }', "${{ steps.one.d }}"))
    ],
    [
      "an element of a loop over documents",
      flowOf(
        `- { id: each, forEach: { in: "\${{ [input.document] }}", steps: [{ id: read, uses: parse, with: { document: "\${{ item }}" } }] } }`
      )
    ]
  ])("%s is taken", (_name, text) => {
    expect(messagesOf(text)).toEqual([])
  })

  test("a called flow gets no document that the caller chose either", () => {
    const inner = flowOf(parse("${{ input.document }}")).replace("id: invoice", "id: inner")
    const call = (document: string) =>
      flowOf(
        `- { id: call, uses: flow, with: { flow: inner, document: ${quoted(document)} } }`,
        variable(shaped)
      )
    const problems = (text: string) => {
      const library = new FlowLibrary([{ id: "inner", version: "1.0.0", file: "inner.yaml", text: inner }], {
        registry: allSteps,
        sha256
      })
      const result = library.check({ id: "invoice", version: "1.0.0", file: "outer.yaml", text })
      return Result.isSuccess(result) ? [] : result.failure.map(({ path }) => path)
    }
    expect(problems(call("${{ input.document }}"))).toEqual([])
    expect(problems(call("${{ variables.d }}"))).toEqual(["steps[0].with.document"])
    expect(problems(call(forged))).not.toEqual([])
  })
})
