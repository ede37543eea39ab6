import { Predicate, Result, Schema } from "effect"
import type { CheckedFlow } from "./CheckedFlow.ts"
import { canonicalJson } from "./Canonical.ts"
import { checkJsonSchema } from "./CheckJsonSchema.ts"
import { checkOutput } from "./CheckOutput.ts"
import { checkSteps } from "./CheckSteps.ts"
import { FlowDefinition } from "./FlowDefinition.ts"
import { inputSchema } from "./InputSchema.ts"
import { didYouMean } from "./Nearest.ts"
import type { Path, Problem } from "./Problem.ts"
import type { Problems } from "./Problems.ts"
import { addSchemaProblems } from "./SchemaProblems.ts"
import { encodedType } from "./SchemaType.ts"
import { type MapNode, nodeAt, type SourceNode, toJson } from "./Source.ts"
import type { StepRegistry } from "./StepRegistry.ts"
import { readTemplate } from "./TemplateReader.ts"
import * as Type from "./Type.ts"
import { fromJsonSchema } from "./TypeFromJsonSchema.ts"
import { variablesValidator } from "./VariablesValidator.ts"
import { parseYaml } from "./Yaml.ts"

/** What a check needs beside the text. */
export interface CheckOptions<R> {
  /** The name of the file, for messages. */
  readonly file: string
  readonly registry: StepRegistry<R>
  /** SHA-256 of a text's UTF-8 bytes, in lower-case hexadecimal. The language itself does no cryptography. */
  readonly sha256: (text: string) => string
  /** The MIME types that some reader can read; without it, formats are not checked. */
  readonly formats?: ReadonlyArray<string>
}

/** Checks the text of a flow file: either every problem that it has, in the order of the file, or the flow ready to be run. */
export const check = <R>(
  text: string,
  options: CheckOptions<R>
): Result.Result<CheckedFlow<R>, ReadonlyArray<Problem>> => {
  const { problems, root } = parseYaml(text, options.file)
  const flow = root === undefined ? undefined : checkRoot(root, options, problems)
  const found = problems.list()
  if (flow !== undefined && found.length === 0) return Result.succeed(flow)
  return Result.fail(found)
}

const checkRoot = <R>(
  root: SourceNode,
  options: CheckOptions<R>,
  problems: Problems
): CheckedFlow<R> | undefined => {
  if (root.kind !== "map") {
    problems.add(root, [], "A flow is an object; it begins with `docflow: 1`.")
    return undefined
  }
  checkShape(root, problems)
  const variables = readVariables(root, problems)
  checkFormats(root, options, problems)
  const steps = checkSteps(root, variables.type, options.registry, problems)
  const output = checkOutput(root, steps.scope, problems)
  const definition = decodeDefinition(root, problems)
  if (definition === undefined || problems.list().length > 0) return undefined
  return {
    definition,
    hash: options.sha256(canonicalJson(definition)),
    inputSchema: inputSchema(definition),
    outputSchema: output.schema,
    steps: steps.finish(definition.steps),
    output: output.evaluate,
    validateVariables: variablesValidator(variables.validate)
  }
}

/** Unknown and missing keys, and values of the wrong type, everywhere but in what has its own check. */
const checkShape = (root: MapNode, problems: Problems): void => {
  readTemplate(root, encodedType(FlowDefinition), [], {
    problems,
    scope: undefined,
    isDeferred: (path) =>
      path.includes("with") || path.includes("if") || (path[0] === "output" && path[1] === "value"),
    extraFields: "refused"
  })
}

const decodeFlow = Schema.decodeUnknownResult(FlowDefinition, { errors: "all" })

const decodeDefinition = (root: MapNode, problems: Problems): FlowDefinition | undefined => {
  const decoded = decodeFlow(toJson(root))
  if (Result.isSuccess(decoded)) return decoded.success
  addSchemaProblems(problems, decoded.failure.issue, root, [])
  return undefined
}

const readVariables = (root: MapNode, problems: Problems) => {
  const node = root.entries.get("variables")?.value
  if (node === undefined) return { type: Type.object({}), validate: undefined }
  if (node.kind !== "map") return { type: Type.never, validate: undefined }
  const path: Path = ["variables"]
  const type = node.entries.get("type")?.value
  if (type?.kind !== "scalar" || type.value !== "object") {
    problems.add(
      type ?? node,
      type === undefined ? path : [...path, "type"],
      "The variables of a flow are an object: write `type: object`."
    )
  }
  const validate = checkJsonSchema(node, path, problems)
  return { type: fromJsonSchema(toJson(node), { closed: true, defaultsFilled: true }), validate }
}

const checkFormats = <R>(root: MapNode, options: CheckOptions<R>, problems: Problems): void => {
  const node = nodeAt(root, ["document", "formats"])
  if (options.formats === undefined || node?.kind !== "list") return
  for (const [index, item] of node.items.entries()) {
    if (item.kind !== "scalar" || !Predicate.isString(item.value) || options.formats.includes(item.value))
      continue
    const message = `No reader reads "${item.value}"; there is ${options.formats.join(", ")}.`
    problems.add(item, ["document", "formats", index], message, didYouMean(item.value, options.formats))
  }
}
