/** What a flow file is. */
export const introduction = `A flow is one YAML file, \`flows/<id>/<version>.yaml\`. It is checked before it is served: \`docflow check <file>\`. The first line
\`# yaml-language-server: $schema=../../dsl/flow.schema.json\` lets an editor complete and check it. A published version never changes:
\`docflow plan <file>\` says which version a changed flow needs.`

/** What a step is. */
export const controlSteps = `A step has exactly one of \`uses\`, \`parallel\`, \`forEach\`, \`switch\` and \`steps\`. Later steps refer to its output as \`steps.<id>\`. Steps inside a
control step can use the steps before it, but are not visible outside: only the output of the control step is. A block is an array of steps, whose
output is the output of its last step, or an object with \`steps\` and \`output\`.

\`\`\`yaml
steps:
  - id: pages
    forEach:
      in: \${{ steps.read.document.pages }}
      as: page # default: item; index counts from 0
      concurrency: 4
      steps:
        - { id: size, uses: transform, with: { value: "\${{ page.width * page.height }}" } }
  - id: both
    parallel:
      left: [{ id: a, uses: transform, with: { value: 1 } }]
      right: [{ id: b, uses: transform, with: { value: 2 } }]
  - id: kind
    switch:
      cases:
        - when: steps.both.left > 1
          steps: [{ id: big, uses: transform, with: { value: big } }]
      default: [{ id: small, uses: transform, with: { value: small } }]
  - id: risky
    uses: parse
    with: { document: "\${{ input.document }}" }
    onError:
      - { id: instead, uses: fail, with: { message: "The document could not be read: \${{ error.message }}" } }
\`\`\``

/** How expressions are written, and how they differ from CEL. */
export const expressions = `Expressions are written between \`\${{\` and \`}}\` and have CEL syntax. They can use:

- \`input.document\`, \`input.variables\`, and \`variables\` for the latter;
- \`steps.<id>\`: the output of an earlier step;
- inside a loop, the current element under its name, and \`index\`;
- inside \`onError\`, \`error\` with \`code\`, \`message\` and \`step\`.

An expression alone keeps the type of its value; with text around it, the result is a string.

Lengths and positions in strings count characters as Unicode code points, as in CEL: \`size("😀")\` is 1.

Differences from CEL:

- Null propagates: a field of null, a sum with null and an absent element are null. \`coalesce\` replaces null.
- There is one type of numbers: \`1 == 1.0\` is true, and \`7 / 2\` is 3.5.
- Bytes, unsigned numbers, durations and timestamps are not supported. Dates are strings.
- The pattern of \`matches\` must be a literal string.

Functions:`

/** Macros: they look like functions, but evaluate their arguments themselves. */
export const macros: ReadonlyArray<readonly [usage: string, description: string]> = [
  ["coalesce(a, b, …)", "The first argument that is not null."],
  ["has(path)", "Whether the path is neither absent nor null."],
  ["list.map(x, value)", "An array with the value for each element `x`."],
  ["list.filter(x, condition)", "The elements `x` for which the condition holds."],
  ["list.all(x, condition)", "Whether the condition holds for every element `x`."],
  ["list.exists(x, condition)", "Whether the condition holds for an element `x`."],
  ["list.exists_one(x, condition)", "Whether the condition holds for exactly one element `x`."],
  ['text.matches("pattern")', "Whether the text contains a match of the regular expression (RE2 syntax)."]
]

/** How a flow is written in TypeScript: \`examples/flow.ts\`. */
export const typescript = `\`docflow/dsl\` builds the same flows in TypeScript. \`Flow.step\` takes an id, a step kind, its configuration and options such as \`timeout\`; its
\`output\` is a typed reference, and \`.at("name")\` refers to a field of it. \`Flow.stepIf\` adds a condition. \`Flow.expression\` takes an
expression as text. Step kinds of your own are used like the built-in \`steps\`. \`toYaml(flow)\` returns the flow file, and \`Flow.check\` its problems.

\`\`\`ts
import { steps } from "docflow"
import { Flow, toYaml } from "docflow/dsl"

const read = Flow.step("read", steps.parse, { document: Flow.document })
const fields = Flow.step("fields", steps.extract, {
  document: read.output.at("document"),
  using: ["rules"],
  fields: { total: { preset: "invoice.totalAmount" } }
})
const large = Flow.stepIf(Flow.expression("steps.read.pageCount > 10"), "large", steps.transform, {
  value: \`A document of \${read.output.at("pageCount")} pages\`
})

export const flow = Flow.make({
  id: "totals",
  version: "1.0.0",
  name: "Totals",
  document: { formats: ["application/pdf"] },
  steps: [read, fields, large],
  output: { value: { total: fields.output.at("values").at("total"), remark: large.output } }
})

/** The text of flows/totals/1.0.0.yaml. */
export const yaml = toYaml(flow)
\`\`\``
