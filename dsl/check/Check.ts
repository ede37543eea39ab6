import * as Type from "../types/Type.ts"
import { type JsonSchema, Predicate, Result } from "effect"
import type { CheckedFlow } from "../model/CheckedFlow.ts"
import { canonicalJson } from "../../src/support/CanonicalJson.ts"
import { checkJsonSchema } from "./CheckJsonSchema.ts"
import type { FindFlow, FlowCall } from "../model/FlowCalls.ts"
import { didYouMean } from "../source/Nearest.ts"
import type { Path, Problem } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { type ListNode, type MapNode, nodeAt, type SourceNode, toJson } from "../source/Source.ts"
import { asFlow, checkShape, decodeDefinition } from "../model/ReadDefinition.ts"
import type { StepRegistry } from "../model/StepRegistry.ts"
import { describe } from "../types/TypeDescribe.ts"
import { fromJsonSchema, toJsonSchema } from "../types/JsonSchemaTypes.ts"
import { variablesValidator, type FindOutputProblem, outputValidator } from "../model/RunValidators.ts"
import { parseYaml } from "../source/Yaml.ts"
import { expressionScope, type FlowScope } from "./FlowScope.ts"
import { type Evaluate, evaluator } from "../expression/Template.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import type { FlowDefinition } from "../model/FlowDefinition.ts"
import { defined } from "../../src/support/Defined.ts"
import { readBlock, type ReadBlock, type Reading } from "./CheckBlock.ts"
import { idOf } from "./CheckedParts.ts"

/** The maximum number of steps: more than a person can follow, and than can be checked quickly. */
const mostSteps = 500

/** Checks the steps of a flow, one after the other. */
const checkSteps = <R>(
  root: MapNode,
  variables: Type.Type,
  { flows, registry }: Pick<CheckOptions<R>, "flows" | "registry">,
  problems: Problems
): ReadBlock<R> & Pick<Reading<R>, "calls"> => {
  const list = root.entries.get("steps")?.value
  const calls: Array<FlowCall> = []
  const reading = { registry, flows, problems, calls, readBlock }
  const steps: ListNode =
    list?.kind === "list" ? list : { kind: "list", items: [], start: root.start, end: root.end }
  const inside = stepsInside(steps)
  const count = steps.items.length + inside.size
  if (count > mostSteps) {
    const message = `The flow has ${count} steps, nested ones included; the limit is ${mostSteps}.`
    problems.add(steps, ["steps"], message, "Use a loop for steps that repeat.")
    return { ...readBlock({ ...steps, items: [] }, ["steps"], { ...nothing, variables }, reading), calls }
  }
  const start = {
    ...nothing,
    variables,
    inside
  }
  return { ...readBlock(steps, ["steps"], start, reading), calls }
}

const nothing = {
  steps: new Map(),
  allSteps: new Set<string>(),
  inside: new Map(),
  around: [],
  locals: new Map(),
  present: new Set<string>()
}

/** The ids of nested steps, each with the outermost step that contains it. */
const stepsInside = (steps: ListNode): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (node: SourceNode, outermost: string): void => {
    if (node.kind === "list") for (const item of node.items) visit(item, outermost)
    if (node.kind !== "map") return
    const id = idOf(node)?.value
    if (id !== undefined && !found.has(id)) found.set(id, outermost)
    for (const [key, { value }] of node.entries) if (key !== "with") visit(value, outermost)
  }
  for (const step of steps.items) {
    const id = idOf(step)?.value
    if (step.kind !== "map" || id === undefined) continue
    for (const [key, { value }] of step.entries) if (key !== "with") visit(value, id)
  }
  return found
}

/** The JSON Schema of a run's `input`, as the API shows it. */
const inputSchema = ({ variables }: FlowDefinition): JsonSchema.JsonSchema => ({
  type: "object",
  required: mustHaveVariables(variables) ? ["document", "variables"] : ["document"],
  properties: {
    document: {
      type: "object",
      required: ["base64"],
      properties: {
        base64: {
          type: "string",
          description: "The document, Base64 encoded, with or without a data URL prefix."
        },
        filename: { type: "string", description: "The original file name." },
        mimeType: { type: "string", description: "Its MIME type, detected when omitted." }
      }
    },
    ...defined({ variables })
  }
})

const mustHaveVariables = (variables: FlowDefinition["variables"]): boolean => {
  const required = variables?.["required"]
  const properties = variables?.["properties"]
  const hasDefault = (name: unknown): boolean =>
    Predicate.hasProperty(properties, String(name)) &&
    Predicate.hasProperty(properties[String(name)], "default")
  return Array.isArray(required) && required.some((name) => !hasDefault(name))
}

/** The output of a flow, compiled. */
interface CheckedOutput {
  readonly schema: JsonSchema.JsonSchema
  readonly evaluate: Evaluate
  readonly judge: FindOutputProblem
}

/** Checks that the output is an object, and that `output.value` matches `output.schema`. */
const checkOutput = (root: MapNode, scope: FlowScope, problems: Problems): CheckedOutput => {
  const schemaNode = nodeAt(root, ["output", "schema"])
  const valueNode = nodeAt(root, ["output", "value"])
  if (schemaNode?.kind === "map") checkJsonSchema(schemaNode, ["output", "schema"], problems)
  const written = schemaNode === undefined ? undefined : toJson(schemaNode)
  const place = written === undefined ? Type.any : fromJsonSchema(written, { closed: false })
  if (!mayBeObject(place)) {
    problems.add(schemaNode ?? root, ["output", "schema"], `Must describe an object: write \`type: object\`.`)
  }
  if (valueNode === undefined)
    return { schema: {}, evaluate: () => Result.succeed(null), judge: nothingWrong }
  const template = readTemplate(valueNode, place, ["output", "value"], {
    problems,
    scope: expressionScope(scope),
    extraFields: "refused"
  })
  if (mayBeObject(place) && !Type.isNever(template.type) && !mayBeObject(template.type)) {
    const message = `The output of a flow must be an object, not ${describe(template.type)}.`
    problems.add(valueNode, ["output", "value"], message, 'Give it a name: `value: { result: "${{ … }}" }`.')
  }
  return {
    schema: Predicate.isObject(written) ? { ...written } : toJsonSchema(template.type),
    evaluate: evaluator(template),
    judge: Predicate.isObject(written) ? outputValidator({ ...written }) : nothingWrong
  }
}

/** Whether an object is among the values of a type. */
const mayBeObject = (type: Type.Type): boolean =>
  Type.members(type).some(({ kind }) => kind === "object" || kind === "any")

const nothingWrong: FindOutputProblem = () => undefined

/** Options of a check. */
export interface CheckOptions<R> {
  /** The name of the file, for messages. */
  readonly file: string
  readonly registry: StepRegistry<R>
  /** SHA-256 of a string's UTF-8 bytes, in lower-case hexadecimal. The language itself does no cryptography. */
  readonly sha256: (text: string) => string
  /** The MIME types of supported formats; if omitted, formats are not checked. */
  readonly formats?: ReadonlyArray<string>
  /** Finds the flows that steps call; if omitted, no flow can be called. */
  readonly flows?: FindFlow<R>
}

/** Checks the text of a flow file. Returns every problem in the order of the file, or the flow, ready to run. */
export const check = <R>(
  text: string,
  options: CheckOptions<R>
): Result.Result<CheckedFlow<R>, ReadonlyArray<Problem>> => {
  const { problems, root } = parseYaml(text, options.file)
  const top = root === undefined ? undefined : asFlow(root, problems)
  const flow = top === undefined ? undefined : checkRoot(top, options, problems)
  if (flow === undefined && problems.list().length === 0) problems.add(0, [], "The file is not a flow.")
  return flow === undefined ? Result.fail(problems.list()) : Result.succeed(flow)
}

const checkRoot = <R>(
  root: MapNode,
  options: CheckOptions<R>,
  problems: Problems
): CheckedFlow<R> | undefined => {
  checkShape(root, problems)
  const variables = readVariables(root, problems)
  checkFormats(root, options, problems)
  const block = checkSteps(root, variables.type, options, problems)
  const output = checkOutput(root, block.scope, problems)
  const definition = decodeDefinition(root, problems)
  if (definition === undefined || problems.list().length > 0) return undefined
  const { steps } = block.finish(definition.steps)
  return {
    definition,
    hash: options.sha256(canonicalJson(definition)),
    inputSchema: inputSchema(definition),
    outputSchema: output.schema,
    steps,
    output: output.evaluate,
    findOutputProblem: output.judge,
    calls: block.calls,
    validateVariables: variablesValidator(variables.validate)
  }
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
      "The schema of variables must describe an object: write `type: object`."
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
    const message = `Unsupported format "${item.value}". Supported: ${options.formats.join(", ")}.`
    problems.add(item, ["document", "formats", index], message, formatMeant(item.value, options.formats))
  }
}

/** Old Office formats, which only their own programs read well, and the formats to save them in. */
const officeTypes = /^(?:\.?(?:doc|xls|ppt)|application\/(?:msword|vnd\.ms-(?:excel|powerpoint)))$/iu
const officeEndings: Readonly<Record<string, string>> = {
  docx: "wordprocessingml.document",
  xlsx: "spreadsheetml.sheet",
  pptx: "presentationml.presentation"
}

/** People write `pdf` for `application/pdf`. */
const formatMeant = (written: string, formats: ReadonlyArray<string>): string | undefined => {
  if (officeTypes.test(written))
    return "Files of Office 97 (.doc, .xls, .ppt) are not supported. Save them as .docx, .xlsx, .pptx or PDF."
  const name = written.toLowerCase().replace(/^\./u, "")
  const ending = Object.hasOwn(officeEndings, name) ? `.${officeEndings[name]}` : `/${name}`
  const known = formats.find((format) => format.endsWith(ending))
  return known === undefined ? didYouMean(written, formats) : `Did you mean "${known}"?`
}
