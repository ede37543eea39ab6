import { Predicate } from "effect"
import { FlowDefinition } from "../model/FlowDefinition.ts"
import { functions } from "../expression/Functions.ts"
import { describeSchema } from "./ReferenceSchema.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"
import type * as StepKind from "../model/StepKind.ts"
import { controlSteps, expressions, introduction, macros, typescript } from "./ReferenceText.ts"
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
    macros
      .concat(functions.map(({ description, usage }) => [usage, description]))
      .map(([usage, description]) => `- \`${usage}\`: ${description}`)
      .join("\n"),
    "## Flows in TypeScript",
    typescript,
    "## Step kinds",
    ...names(registry).flatMap((name) => {
      const kind = registry.kinds.get(name)
      return kind === undefined ? [] : describeKind(kind)
    })
  ].join("\n\n")}\n`
}

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
    describeSchema(config, config["$defs"], true),
    kind.outputType === undefined ? "Output:" : "Output, refined by what `with` says:",
    describeSchema(output, output["$defs"]),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.join(", ")}; any other error is \`EXECUTION_FAILED\`.`])
  ]
}
