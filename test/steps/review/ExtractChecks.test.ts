import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { check, StepRegistry } from "../../../dsl/index.ts"
import { classify } from "../../../src/steps/Classify.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { parse } from "../../../src/steps/Parse.ts"
import { head, sha256 } from "../../dsl/Support.ts"

const flow = (relation: string) =>
  `${head}steps:
  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
  - id: found
    uses: extract
    with:
      document: "\${{ steps.read.document }}"
      using: [rules]
      fields:
        net: { type: money, labels: [Net] }
        share: percent
        supplier: { preset: invoice.vendorName }
        orderDate: { type: date, labels: [Date] }
        lines: { type: table, columns: { text: string, amount: money } }
      relations: ["${relation}"]
output:
  schema: { type: object }
  value: {}
`.replace("share: percent", "share: { type: percent }")

const messages = (relation: string) => {
  const result = check(flow(relation), { file: "f", registry: StepRegistry.make([parse, extract]), sha256 })
  return Result.isFailure(result)
    ? result.failure.map(
        ({ message, path, suggestion }) =>
          `${path}: ${message}${suggestion === undefined ? "" : ` ${suggestion}`}`
      )
    : []
}
const at = "steps[1].with.relations[0]: "

describe("the relations of an extract step", () => {
  it.each(["net + share = net", "sum(lines.amount) = net"])("%s is accepted", (relation) => {
    expect(messages(relation)).toEqual([])
  })

  it("are refused where their terms cannot be added up, with their place", () => {
    expect(messages("net + supplier = orderDate")).toEqual([
      `${at}"supplier" is a string: only numbers can be added up.`,
      `${at}"orderDate" is a date: only numbers can be added up.`
    ])
  })

  it.each([
    ["net + nett = net", `${at}Unknown field "nett" in the relation. Did you mean "net"?`],
    ["lines = net", `${at}"lines" is a table: sum up one of its columns, as in sum(lines.amount).`],
    ["sum(net.amount) = net", `${at}"net" is an amount, not a table: it has no columns to sum up.`],
    [
      "sum(lines.amuont) = net",
      `${at}Unknown column "lines.amuont" in the relation. Did you mean "lines.amount"?`
    ],
    ["sum(lines.text) = net", `${at}The column "lines.text" is a string: only numbers can be added up.`]
  ])("%s is refused", (relation, message) => {
    expect(messages(relation)).toEqual([message])
  })
})

const problemsOf = (text: string) => {
  const registry = StepRegistry.make([parse, extract, classify])
  const result = check(text, { file: "f", registry, sha256 })
  return Result.isFailure(result) ? result.failure.map(({ message, path }) => `${path}: ${message}`) : []
}
const withStep = (step: string) =>
  `${head}steps:\n  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }\n  - ${step}\noutput: { value: {} }\n`

describe("a step that can find nothing", () => {
  const document = 'document: "${{ steps.read.document }}"'
  const order = 'Page 5 comes after page 2. Write the first page as "from", the last as "to".'

  it.each([
    [
      `{ id: a, uses: extract, with: { ${document}, using: [], fields: {} } }`,
      [
        "steps[1].with.using: At least one source is required, such as rules.",
        "steps[1].with.fields: At least one field is required, such as total: { type: money }."
      ]
    ],
    [
      `{ id: a, uses: classify, with: { ${document}, classes: {} } }`,
      ["steps[1].with.classes: At least one class is required, such as invoice: { keywords: [invoice] }."]
    ],
    [
      '{ id: a, uses: parse, with: { document: "${{ input.document }}", pages: { from: 5, to: 2 } } }',
      [`steps[1].with.pages: ${order}`]
    ]
  ])("%s is refused", (step, expected) => {
    expect(problemsOf(withStep(step))).toEqual(expected)
  })

  it("may have a range of pages that a run computes and that is empty", () => {
    const pages = '{ from: 2, to: "${{ steps.read.pageCount }}" }'
    const text = withStep(
      `{ id: a, uses: parse, with: { document: "\${{ input.document }}", pages: ${pages} } }`
    )
    const flow = Result.getOrThrow(check(text, { file: "f", registry: StepRegistry.make([parse]), sha256 }))
    const document = { blob: "00", mimeType: "application/pdf", size: 1, pageCount: 1 }
    const scope = { input: { document }, variables: {}, steps: { read: { pageCount: 1 } } }
    const configs = flow.steps.flatMap((step) => (step.action === "uses" ? [step.config(scope)] : []))
    expect(configs[1]).toEqual(Result.succeed({ document, pages: { from: 2, to: 1 } }))
  })
})

const checked = (using: string) => {
  const registry = StepRegistry.make([parse, extract])
  const text = flow("net + net = net").replace("using: [rules]", `using: ${using}`)
  const steps = Result.getOrThrow(check(text, { file: "f", registry, sha256 })).steps
  return steps.map((step) => step.action === "uses" && step.onlyComputes)
}

describe("an extract step", () => {
  it.each([
    ["[embedded, examples, rules]", true],
    ["[rules, llm]", false],
    ["'${{ [\"rules\"] }}'", false]
  ])("with `using: %s` only computes: %s", (using, is) => {
    expect(checked(using)).toEqual([true, is])
  })
})
