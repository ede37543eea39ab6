import { Predicate } from "effect"
import { FlowDefinition } from "../model/FlowDefinition.ts"
import { functions } from "../expression/Functions.ts"
import { describeSchema } from "./ReferenceSchema.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"
import type * as StepKind from "../model/StepKind.ts"
import { names, type StepRegistry } from "../model/StepRegistry.ts"

/** The reference of the flow language, made from the schemas, the step kinds and the functions: Markdown. */
export const reference = (registry: StepRegistry): string => {
  const flow = jsonSchemaOf(FlowDefinition)
  const definitions = flow["$defs"]
  const step = Predicate.hasProperty(definitions, "Step") ? definitions.Step : {}
  return `${[
    "# The flow language",
    "<!-- Made by `docflow reference`. Change the schemas, not this file. -->",
    introduction,
    "## A flow",
    describeSchema(flow, definitions),
    "## A step",
    controlSteps,
    describeSchema(step, definitions),
    "## Expressions",
    expressions,
    functions.map(({ description, usage }) => `- \`${usage}\`: ${description}`).join("\n"),
    "## Step kinds",
    ...names(registry).flatMap((name) => {
      const kind = registry.kinds.get(name)
      return kind === undefined ? [] : describeKind(kind)
    })
  ].join("\n\n")}\n`
}

const introduction = `A flow is one YAML file, \`flows/<id>/<version>.yaml\`. It is checked before it is served: \`docflow check <file>\`. The first line
\`# yaml-language-server: $schema=../../dsl/flow.schema.json\` lets an editor complete and check it. A published version never changes:
\`docflow plan <file>\` says which version a changed flow needs.`

const controlSteps = `A step has exactly one of \`uses\`, \`parallel\`, \`forEach\`, \`switch\` and \`steps\`. Later steps refer to its output as \`steps.<id>\`. Steps inside a
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

const expressions = `Expressions are written between \`\${{\` and \`}}\` and have CEL syntax. They can use \`input\` (\`input.document\`, \`input.variables\`), \`variables\`, \`steps\`, inside a
loop the current element and \`index\`, and inside \`onError\` the \`error\` (\`code\`, \`message\`, \`step\`). An expression alone keeps the type of its value; with text around it,
the result is a string. Unlike CEL, null propagates: a field of null, a sum with null and an absent element are null. \`list.map(x, …)\`, \`filter\`, \`all\`, \`exists\` and
\`exists_one\` work on arrays. Functions:`

const describeKind = (kind: StepKind.Any): ReadonlyArray<string> => {
  const config = jsonSchemaOf(kind.config)
  const output = jsonSchemaOf(kind.output)
  const errors = Object.entries(kind.errors).flatMap(([tag, code]) =>
    code === undefined ? [] : [`\`${tag}\` is \`${code}\``]
  )
  return [
    `### ${kind.name}`,
    kind.description,
    ...(kind.example === undefined ? [] : [`\`\`\`yaml\n${kind.example}\n\`\`\``]),
    "Configuration (`with`):",
    describeSchema(config, config["$defs"]),
    kind.outputType === undefined ? "Output:" : "Output, refined by what `with` says:",
    describeSchema(output, output["$defs"]),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.join(", ")}; any other error is \`EXECUTION_FAILED\`.`])
  ]
}
