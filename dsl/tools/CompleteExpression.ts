import { Predicate, Result } from "effect"
import { isMap, isScalar, isSeq, type Node } from "yaml"
import type { StepRegistry } from "../model/StepRegistry.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"
import { isList } from "../types/Values.ts"
import { membersOf, type Schema, schemasAt, type Word } from "./SchemaAt.ts"

/** A step before the cursor. */
interface EarlierStep {
  readonly id: string
  readonly uses: string
  readonly config: unknown
}

const endOf = (node: Node): number => node.range?.[1] ?? 0
const contains = (node: Node, position: number): boolean =>
  node.range !== null && node.range !== undefined && node.range[0] <= position && position <= node.range[2]

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const stepOf = (node: Node): ReadonlyArray<EarlierStep> => {
  if (!isMap(node)) return []
  const id = textOf(node.get("id"))
  if (id === "") return []
  const config = node.get("with", true)
  return [{ id, uses: textOf(node.get("uses")), config: isMap(config) ? config.toJSON() : {} }]
}

/** The steps whose outputs an expression at a position can use: those before it, next to it or around it. */
const stepsBefore = (node: unknown, position: number, isSteps = false): ReadonlyArray<EarlierStep> => {
  if (isSeq<Node>(node)) {
    return node.items.flatMap((item) => [
      ...(isSteps && endOf(item) <= position && !contains(item, position) ? stepOf(item) : []),
      ...(contains(item, position) ? stepsBefore(item, position) : [])
    ])
  }
  if (!isMap<Node, Node>(node)) return []
  return node.items.flatMap(({ key, value }) => {
    const isList = isScalar(key) && key.value === "steps"
    const isOutput = isScalar(key) && key.value === "output"
    if (value === null || isOutput) return []
    // The output of a flow or of a block comes after its steps.
    return contains(value, position) || (isList && endOf(value) <= position)
      ? stepsBefore(value, position, isList)
      : []
  })
}

const outputSchema = (registry: StepRegistry, { config, uses }: EarlierStep): Schema => {
  const kind = registry.kinds.get(uses)
  if (kind === undefined) return {}
  const { outputType } = kind
  // The function is not ours, and the configuration may be wrong.
  const own = outputType === undefined ? undefined : Result.try(() => outputType(config, {}))
  const schema = own !== undefined && Result.isSuccess(own) ? own.success : jsonSchemaOf(kind.output)
  return Predicate.isObject(schema) && !isList(schema) ? { ...schema } : {}
}

const roots: ReadonlyArray<Word> = [
  { label: "steps", info: "The outputs of earlier steps." },
  { label: "variables", info: "The variables of the request." },
  { label: "input", info: "The document and the variables of the request." }
]

/** The schema of what the names in an expression refer to. */
const scopeOf = (steps: ReadonlyArray<EarlierStep>, variables: unknown): Schema => {
  const given: Schema = Predicate.isObject(variables) && !isList(variables) ? { ...variables } : {}
  const input = { properties: { document: {}, variables: given } }
  const outputs = Object.fromEntries(steps.map(({ id, uses }) => [id, { description: uses }]))
  return { properties: { steps: { properties: outputs }, variables: given, input } }
}

/**
 * The names that can follow in an expression: `name` is what was typed of it, such as `steps.read.`, and `contents` the flow,
 * whose `variables` are given as they are.
 */
export const expressionWords = (
  registry: StepRegistry,
  {
    contents,
    position,
    variables
  }: { readonly contents: unknown; readonly position: number; readonly variables: unknown },
  name: string
): ReadonlyArray<Word> => {
  const path = name.split(".").slice(0, -1)
  if (path.length === 0) return roots
  const steps = stepsBefore(contents, position)
  const [root, id, ...rest] = path
  const step = root === "steps" ? steps.findLast((one) => one.id === id) : undefined
  if (step === undefined) return membersOf(schemasAt(scopeOf(steps, variables), undefined, path))
  const schema = outputSchema(registry, step)
  return membersOf(schemasAt(schema, undefined, rest))
}
