import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { check, StepRegistry } from "../../../dsl/index.ts"
import { lookup } from "../../../src/steps/Lookup.ts"
import { head, sha256 } from "../../dsl/Support.ts"

const checked = (config: string, output: string) =>
  check(
    `${head}steps:\n  - id: ask\n    uses: lookup\n    with: ${config}\noutput:\n  schema: { type: object, required: [v], properties: { v: { type: string } } }\n  value: { v: "\${{ ${output} }}" }\n`,
    { file: "f", registry: StepRegistry.make([lookup]), sha256 }
  )
const messages = (config: string, output = "steps.ask.body.a") => {
  const result = checked(config, output)
  return Result.isFailure(result) ? result.failure.map(({ message, path }) => `${path}: ${message}`) : []
}
const expected =
  "expect: { type: object, required: [a, b], properties: { a: { type: string }, b: { type: number } } }"

describe("a lookup in a flow", () => {
  it("gives later steps the type that it expects", () => {
    expect(messages(`{ url: "https://crm.example/", ${expected} }`)).toEqual([])
    expect(messages(`{ url: "https://crm.example/", ${expected} }`, "steps.ask.body.b")).toHaveLength(1)
    expect(messages(`{ url: "https://crm.example/", ${expected} }`, "steps.ask.body.c")).toHaveLength(1)
    expect(messages(`{ url: "https://crm.example/", ${expected}, notFound: "null" }`)[0]).toContain("null")
  })

  it.each([
    [
      '{ url: "https://${{ input.document.filename }}/", EXPECT }',
      'steps[0].with.url: Expressions are not allowed here: "url" must be known before a run.'
    ],
    [
      '{ url: "https://crm.example/", headers: { A: "${{ input.document.mimeType }}" }, EXPECT }',
      'steps[0].with.headers.A: Expressions are not allowed here: "headers" must be known before a run.'
    ],
    [
      '{ url: "https://10.0.0.1/", EXPECT }',
      "steps[0].with.url: This address cannot be requested: 10.0.0.1 is not a public address (private)."
    ],
    [
      '{ url: "ftp://crm.example/", EXPECT }',
      "steps[0].with.url: This address cannot be requested: it must start with https: or http:."
    ],
    ['{ url: "https://crm.example/{id}", EXPECT }', "steps[0].with.url: Missing value for {id}."],
    [
      '{ url: "https://crm.example/", path: { id: 1 }, EXPECT }',
      "steps[0].with.path.id: The url has no placeholder {id}."
    ],
    ['{ url: "https://crm.example/?a=b", EXPECT }', "steps[0].with.url: The url must end with its path."],
    [
      '{ url: "https://{id}.example/", path: { id: a }, EXPECT }',
      "steps[0].with.url: Placeholders are allowed only in the path."
    ],
    ['{ url: "https://crm.example/", body: 1, EXPECT }', "steps[0].with.body: Only POST sends a body."],
    [
      '{ url: "https://crm.example/", headers: { Host: a }, EXPECT }',
      'steps[0].with.headers.Host: docflow sets the header "Host" itself.'
    ],
    [
      '{ url: "https://crm.example/", timeout: 2m, EXPECT }',
      "steps[0].with.timeout: The maximum timeout of a lookup is 60s."
    ]
  ])("is refused: %s", (config, message) => {
    expect(messages(config.replace("EXPECT", expected))).toEqual([message])
  })

  it("is refused with an `expect` that is no JSON Schema", () => {
    expect(
      messages('{ url: "https://crm.example/", expect: { type: strin } }', "input.document.mimeType")
    ).toEqual([expect.stringContaining("steps[0].with.expect.type: Invalid JSON Schema")])
  })
})
