import { Result } from "effect"
import * as fc from "../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { canonicalJson, type FlowDefinition, fromYaml, toYaml } from "../../dsl/index.ts"
import { head, sha256 } from "./Support.ts"

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "yes",
    "no",
    "null",
    "~",
    "1.0",
    "0x1f",
    "1e3",
    ".nan",
    "- a",
    "a: b",
    "# c",
    "'",
    '"',
    "${{ steps.a.b }}",
    "a\nb\n",
    "\n",
    " a ",
    "\t",
    "2026-01-01",
    "<<",
    "%",
    "@",
    "`",
    "|",
    ">",
    "!!str",
    "&a",
    "*a",
    "---",
    "...",
    "\u2028",
    "\u0085",
    "\uFEFF"
  )
)
/** Where expressions are not evaluated. */
const words = text.filter((value) => !value.includes("${{"))
const key = text.filter((name) => name !== "__proto__" && name !== "<<")
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    text,
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object")
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 3 })
}))
const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null
const object = json.object.filter(isObject)

const duration = fc.constantFrom("500ms", "2s", "1.5m", "1h")
const optional = { requiredKeys: ["id", "uses", "onError"] } satisfies {
  requiredKeys: Array<"id" | "uses" | "onError">
}
const step = fc.record(
  {
    id: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,10}$/),
    uses: words,
    name: words,
    with: object,
    if: fc.oneof(fc.boolean(), text),
    timeout: duration,
    retry: fc.record(
      {
        attempts: fc.integer({ min: 1, max: 20 }),
        backoff: duration,
        jitter: fc.boolean(),
        on: fc.subarray(["EXECUTION_FAILED", "PROVIDER_ERROR"])
      },
      { requiredKeys: ["attempts", "backoff", "jitter"] }
    ),
    onError: fc.constantFrom("fail", "continue")
  },
  optional
)
const definition = fc.record(
  {
    docflow: fc.constant(1),
    id: fc.stringMatching(/^[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,5}){0,2}$/),
    version: fc.constantFrom("1.0.0", "0.1.0-rc.1", "10.20.30+build"),
    name: words.filter((name) => name !== ""),
    description: words,
    document: fc.record({
      formats: fc.array(fc.constantFrom("application/pdf", "image/png"), { minLength: 1, maxLength: 3 }),
      maxFileSizeMB: fc.double({ min: 0.1, max: 100, noNaN: true }),
      maxPages: fc.integer({ min: 1, max: 1000 })
    }),
    credits: fc.record({ perPage: fc.integer({ min: 0, max: 9 }), base: fc.integer({ min: 0, max: 9 }) }),
    requires: fc.record({ plan: fc.constantFrom("free", "pro", "enterprise") }),
    timeout: duration,
    maxCredits: fc.integer({ min: 0, max: 9 }),
    maxTokens: fc.integer({ min: 1, max: 9 }),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    output: fc.record({ value: json.value })
  },
  {
    requiredKeys: [
      "docflow",
      "id",
      "version",
      "name",
      "description",
      "document",
      "credits",
      "steps",
      "output"
    ]
  }
)

describe("a definition", () => {
  it("survives the way to YAML and back", () => {
    fc.assert(
      fc.property(definition, (made) => {
        // What the generator makes has prototypes of its own; the definition is plain JSON.
        const plain: FlowDefinition = JSON.parse(JSON.stringify(made))
        const back = Result.getOrThrowWith(
          fromYaml(toYaml(plain), "f"),
          (problems) => new Error(JSON.stringify(problems))
        )
        expect(back).toEqual(plain)
        expect(canonicalJson(back)).toBe(canonicalJson(plain))
      }),
      { numRuns: 250 }
    )
  })

  it("has one canonical form, whatever its file looks like", () => {
    const steps = "steps: [{ id: a, uses: transform }]\noutput: { value: {} }\n"
    const one = fromYaml(head + steps, "f")
    const other = fromYaml(`# a comment\n${steps}${head}credits:\n  perPage: 1.0\n`, "f")
    expect(sha256(canonicalJson(Result.getOrThrow(one)))).toBe(
      sha256(canonicalJson(Result.getOrThrow(other)))
    )
  })

  it("names its schema for editors", () => {
    const flow = Result.getOrThrow(
      fromYaml(`${head}steps: [{ id: a, uses: transform }]\noutput: { value: {} }\n`, "f")
    )
    expect(toYaml(flow, { schema: "../../dsl/flow.schema.json" })).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/dsl\/flow\.schema\.json\ndocflow: 1\n/u
    )
  })
})
