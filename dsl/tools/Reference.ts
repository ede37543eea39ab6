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
    forms,
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

const forms = `A step has exactly one of \`uses\`, \`parallel\`, \`forEach\`, \`switch\` and \`steps\`. What it gives is \`steps.<id>\` for the steps after it. Steps inside a
step see those around it that stand before it, and are not seen from outside: the step that holds them gives their result. A block is a list of steps,
which gives what its last step gives, or an object with \`steps\` and \`output\`.

\`\`\`yaml
steps:
  - id: pages
    forEach:
      in: \${{ steps.read.document.pages }}
      as: page # \`item\` without it; \`index\` counts from 0
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
      - { id: instead, uses: fail, with: { message: "It could not be read: \${{ error.message }}" } }
\`\`\``

const expressions = `Between \`\${{\` and \`}}\` stands CEL. It sees \`input\` (\`input.document\`, \`input.variables\`), \`variables\`, \`steps\`, in a loop the element under its name
and \`index\`, and in the steps of an \`onError\` \`error\` (\`code\`, \`message\`, \`step\`). A value alone keeps its type; inside a longer text it becomes text. What cannot be
computed, because something is null, is null: a field of null, a sum with null, an element that is not there. \`list.map(x, …)\`, \`filter\`, \`all\`, \`exists\` and
\`exists_one\` work on lists. These functions can be called:`

const describeKind = (kind: StepKind.Any): ReadonlyArray<string> => {
  const config = jsonSchemaOf(kind.config)
  const output = jsonSchemaOf(kind.output)
  const errors = Object.entries(kind.errors).flatMap(([tag, code]) =>
    code === undefined ? [] : [`\`${tag}\` means \`${code}\``]
  )
  return [
    `### ${kind.name}`,
    kind.description,
    "With:",
    describeSchema(config, config["$defs"]),
    kind.outputType === undefined ? "It gives:" : "It gives, more exactly by what `with` says:",
    describeSchema(output, output["$defs"]),
    ...(errors.length === 0
      ? []
      : [`When it fails: ${errors.join(", ")}; anything else means \`EXECUTION_FAILED\`.`])
  ]
}
