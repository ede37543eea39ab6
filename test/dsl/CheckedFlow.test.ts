import { Duration, Effect, Option, Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { check, type CheckedFlow, type Scope, StepKind, StepRegistry } from "../../dsl/index.ts"
import { withinCpuMs } from "../support/CpuTime.ts"
import { checked, checkFlow, head, sha256 } from "./Support.ts"

const document = { pages: [], extras: { pageCount: 0 } }
const scopeWith = (steps: Scope["steps"], variables: unknown = {}): Scope => ({
  input: { document: { blob: "00", mimeType: "application/pdf", size: 1, pageCount: 1 }, variables },
  variables,
  steps
})

const invoice = `${head}timeout: 5m
variables:
  type: object
  required: [customer]
  properties:
    customer: { type: string, pattern: "^C[0-9]+$" }
    code: { type: string, pattern: "^(a+)+$" }
    tolerance: { type: number, default: 0.02 }
    order: { type: object, properties: { style: { enum: [DMY, MDY], default: DMY } } }
steps:
  - id: read
    uses: parse
    timeout: 90s
  - id: fields
    uses: extract
    if: steps.read.wordCount > 0
    onError: continue
    retry: { attempts: 3, backoff: 500ms, on: [PROVIDER_ERROR] }
    with:
      document: \${{ steps.read.document }}
      fields: { number: { type: string, required: true }, total: { type: number }, lines: { type: lines } }
  - id: checks
    uses: validate
    with:
      rules:
        - that: \${{ abs(sum(steps.fields.values.lines.map(l, l.amount)) - steps.fields.values.total) < variables.tolerance }}
          else: The lines of \${{ steps.fields.values.number }} do not add up to \${{ steps.fields.values.total }}.
output:
  schema: { type: object, properties: { number: { type: string }, total: { type: [number, "null"] } } }
  value: { number: "\${{ steps.fields.values.number }}", total: "\${{ steps.fields.values.total }}" }
`

describe("a checked flow", () => {
  const flow = checked(invoice)
  const [read, fields, checks] = flow.steps.filter((step) => step.action === "uses")

  it("has what the engine needs of each step", () => {
    expect(read?.timeout).toEqual(Duration.seconds(90))
    expect(read?.condition).toBeUndefined()
    expect(read?.onError).toBe("fail")
    expect(fields?.onError).toBe("continue")
    expect(fields?.retry).toEqual({
      attempts: 3,
      backoff: Duration.millis(500),
      jitter: true,
      on: ["PROVIDER_ERROR"]
    })
    expect(fields?.kind.name).toBe("extract")
  })

  it("decodes what the flow says, defaults included", () => {
    expect(read?.config(scopeWith({}))).toEqual(Result.succeed({ ocr: "auto" }))
  })

  it("passes on what an earlier step made without copying it", () => {
    const config = Result.getOrThrow(fields?.config(scopeWith({ read: { document } })) ?? Result.succeed({}))
    expect(config).toHaveProperty("fields.number.required", true)
    expect(Object(config).document).toBe(document)
  })

  it("judges conditions; null is not true", () => {
    const condition = fields?.condition ?? (() => Result.succeed(true))
    expect(condition(scopeWith({ read: { wordCount: 3 } }))).toEqual(Result.succeed(true))
    expect(condition(scopeWith({ read: { wordCount: 0 } }))).toEqual(Result.succeed(false))
    expect(condition(scopeWith({ read: null }))).toEqual(Result.succeed(false))
  })

  it.each([
    [
      { number: "A1", total: 3, lines: [{ amount: 1 }, { amount: 2 }] },
      true,
      "The lines of A1 do not add up to 3."
    ],
    [
      { number: "A1", total: 4, lines: [{ amount: 1 }, { amount: 2 }] },
      false,
      "The lines of A1 do not add up to 4."
    ],
    [{ number: "A1", total: null, lines: [{ amount: 1 }] }, null, "The lines of A1 do not add up to ."],
    [{ number: "A1", total: 1, lines: [{ amount: null }] }, null, "The lines of A1 do not add up to 1."]
  ])("computes rules: %j", (values, that, message) => {
    const config = checks?.config(scopeWith({ read: {}, fields: { values } }, { tolerance: 0.02 }))
    expect(config).toEqual(
      Result.succeed({ rules: [{ that, else: message, severity: "error", fields: [] }] })
    )
  })

  it("leaves a null out where the output's schema has an optional field without null", () => {
    expect(flow.output(scopeWith({ fields: null }))).toEqual(Result.succeed({ total: null }))
    expect(flow.output(scopeWith({ fields: { values: { number: "A1", total: 2 } } }))).toEqual(
      Result.succeed({ number: "A1", total: 2 })
    )
  })

  it("shows the schema of its input", () => {
    expect(flow.inputSchema).toMatchObject({
      type: "object",
      required: ["document", "variables"],
      properties: { document: { required: ["base64"] }, variables: { required: ["customer"] } }
    })
  })

  it.each([
    [{ customer: "C1" }, { customer: "C1", tolerance: 0.02 }],
    [
      { customer: "C1", tolerance: 1, order: {}, other: 1 },
      { customer: "C1", tolerance: 1, order: { style: "DMY" }, other: 1 }
    ]
  ])("fills in the defaults of variables: %j", (given, filled) => {
    const before = JSON.stringify(given)
    expect(flow.validateVariables(given)).toEqual(Result.succeed(filled))
    expect(JSON.stringify(given)).toBe(before)
  })

  it.each([
    [undefined, [{ field: "input.variables.customer", reason: "is required", missing: true }]],
    [{ customer: 1 }, [{ field: "input.variables.customer", reason: "must be string", missing: false }]],
    [
      { customer: "c1" },
      [{ field: "input.variables.customer", reason: 'must match pattern "^C[0-9]+$"', missing: false }]
    ],
    [
      { customer: "C1", order: { style: "YMD" } },
      [{ field: "input.variables.order.style", reason: 'must be one of "DMY", "MDY"', missing: false }]
    ],
    [[], [{ field: "input.variables", reason: "must be an object", missing: false }]],
    ["x", [{ field: "input.variables", reason: "must be an object", missing: false }]]
  ])("refuses variables: %j", (given, problems) => {
    expect(flow.validateVariables(given)).toEqual(Result.fail(problems))
  })

  it("has one hash for two files that mean the same", () => {
    expect(checked(`# again\n${invoice.replace("timeout: 5m", "timeout:   5m")}`).hash).toBe(flow.hash)
    expect(checked(invoice.replace("5m", "6m")).hash).not.toBe(flow.hash)
    expect(flow.hash).toMatch(/^[0-9a-f]{64}$/u)
  })

  it("derives the output's schema from the value where none is written", () => {
    const derived = checked(invoice.replace(/ {2}schema: .*\n/u, ""))
    expect(derived.outputSchema).toEqual({
      type: "object",
      properties: { number: { type: ["string", "null"] }, total: { type: ["number", "null"] } },
      required: ["number", "total"],
      additionalProperties: false
    })
  })
})

describe("patterns of variables", () => {
  it("are told apart, and take linear time", () => {
    const { validateVariables } = checked(invoice)
    const code = `${"a".repeat(100_000)}!`
    expect(withinCpuMs(1000, () => validateVariables({ customer: "C1", code }))).toEqual(
      Result.fail([{ field: "input.variables.code", reason: 'must match pattern "^(a+)+$"', missing: false }])
    )
    expect(Result.isSuccess(validateVariables({ customer: "C1", code: "aaa" }))).toBe(true)
  })
})

describe("a plug-in's step kind", () => {
  const Amount = Schema.FiniteFromString
  const convert = StepKind.make("convert", {
    description: "Converts.",
    config: Schema.Struct({
      amount: Amount,
      currency: Schema.String.check(
        Schema.isPattern(/^[A-Z]{3}$/u, { message: "A currency is three capital letters." })
      ),
      note: Schema.optionalKey(Schema.String),
      either: Schema.optionalKey(Schema.Union([Schema.String, Schema.Struct({ list: Schema.Array(Amount) })]))
    }),
    output: Schema.Struct({ amount: Schema.Finite }),
    errors: {},
    run: ({ amount }) => Effect.succeed({ amount })
  })
  const make = (text: string) => check(text, { file: "f", registry: StepRegistry.make([convert]), sha256 })
  const flow = Result.getOrThrow(
    make(`${head}variables: { type: object, required: [a, c], properties: { a: { type: string }, c: { type: string }, n: { type: string } } }
steps:
  - id: one
    uses: convert
    with: { amount: "\${{ variables.a }}", currency: "\${{ variables.c }}", note: "\${{ variables.n }}", either: { list: ["1", "\${{ variables.a }}"] } }
output: { value: { it: "\${{ steps.one.amount }}" } }
`)
  )
  const config = (variables: unknown) =>
    flow.steps.find((step) => step.action === "uses")?.config(scopeWith({}, variables))

  it("has its configuration decoded in a run only where types do not say enough", () => {
    expect(config({ a: "2.5", c: "EUR", n: null })).toEqual(
      Result.succeed({ amount: 2.5, currency: "EUR", either: { list: [1, 2.5] } })
    )
  })

  it("is given an error where a constraint is broken", () => {
    const result = config({ a: "2.5", c: "euro" })
    expect(
      Option.getOrUndefined(Option.fromNullishOr(result).pipe(Option.flatMap(Result.getFailure)))
    ).toMatchObject({
      _tag: "ConfigError",
      path: "steps[0].with.currency",
      message: "A currency is three capital letters."
    })
  })

  it("has its literals judged by its own rules", () => {
    const problems = make(
      `${head}steps:\n  - { id: one, uses: convert, with: { amount: "1", currency: euro } }\noutput: { value: {} }\n`
    )
    expect(
      Result.isFailure(problems) &&
        problems.failure.map(({ column, line, message }) => `${line}:${column} ${message}`)
    ).toEqual(["7:62 A currency is three capital letters."])
  })

  it("keeps its services in the type of the flow", () => {
    const typed: CheckedFlow<never> = flow
    expect(typed.steps).toHaveLength(1)
  })
})

describe("checking", () => {
  it("is quick", () => {
    checkFlow(invoice)
    withinCpuMs(2000, () => {
      for (let i = 0; i < 20; i++) checkFlow(invoice)
    })
  })
})
