import { Predicate, Result } from "effect"
import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml"
import { actionKeys } from "../model/StepDefinition.ts"
import type { StepRegistry } from "../model/StepRegistry.ts"
import { brokenLimit } from "../source/Yaml.ts"
import { isList } from "../types/Values.ts"
import { membersOf, type Schema, schemasAt, type ValuePath, valuesOf, type Word } from "./SchemaAt.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"

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
const expressionWords = (
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

/** What can be typed at a position: each replaces the text from `from` to the position. */
export interface Completion {
  readonly from: number
  readonly words: ReadonlyArray<OfferedWord>
}

interface OfferedWord extends Word {
  readonly kind: "key" | "value" | "name"
}

const offered =
  (kind: OfferedWord["kind"]) =>
  ({ info, label }: Word): OfferedWord =>
    info === undefined ? { label, kind } : { label, info, kind }

/** Written where the cursor is, so that the place is found again in the parsed document. */
const mark = "cursor9here"

const nothing = (from: number): Completion => ({ from, words: [] })

/** Whether only spaces follow on the line: a name without a colon then begins a member. */
const withMark = (source: string, from: number, position: number): string => {
  const after = source.slice(position).replace(/^[\w./-]*/u, "")
  const before = source.slice(source.lastIndexOf("\n", from - 1) + 1, from)
  const isAlone = /^\s*(?:- +)*$/u.test(before) && /^[ \t]*(?:\n|$)/u.test(after)
  return `${source.slice(0, from)}${mark}${isAlone ? ":" : ""}${after}`
}

interface Place {
  readonly path: ValuePath
  readonly isKey: boolean
}

/** Where the mark is: at the name of a member of the value at `path`, or the value at `path` itself. */
const placeOfMark = (node: Node | null | undefined, path: ValuePath): Place | undefined => {
  if (isScalar(node)) return node.value === mark ? { path, isKey: false } : undefined
  if (isSeq<Node>(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = placeOfMark(item, [...path, index])
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isMap<Node, Node>(node)) return undefined
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue
    if (key.value === mark) return { path, isKey: true }
    const found = placeOfMark(value, [...path, String(key.value)])
    if (found !== undefined) return found
  }
  return undefined
}

const at = (value: unknown, path: ValuePath): unknown =>
  path.reduce<unknown>((part, step) => {
    if (isList(part)) return typeof step === "number" ? part[step] : undefined
    return Predicate.isObject(part) && Object.hasOwn(part, step) ? Reflect.get(part, step) : undefined
  }, value)

/** A step has one of these; the others do not fit any more. */
const isOtherAction = (present: ReadonlySet<string>, name: string): boolean => {
  const actions: ReadonlySet<string> = new Set(actionKeys)
  return actions.has(name) && [...present].some((key) => actions.has(key))
}

const keysAt = (schemas: ReadonlyArray<Schema>, value: unknown): ReadonlyArray<Word> => {
  const present = new Set(Predicate.isObject(value) ? Object.keys(value) : [])
  return membersOf(schemas).filter(
    ({ label }) => !present.has(label) && !(present.has("id") && isOtherAction(present, label))
  )
}

/**
 * The words that fit at a position of a flow file, which may be incomplete: keys and values that `schema` (see
 * `editorSchema`) describes, and inside an expression the variables, the earlier steps and their outputs.
 */
export const complete = (
  source: string,
  position: number,
  { registry, schema }: { readonly registry: StepRegistry; readonly schema: Schema }
): Completion => {
  if (brokenLimit(source) !== undefined) return nothing(position)
  const before = source.slice(0, position)
  const from = position - (/[\w./-]*$/u.exec(before)?.[0].length ?? 0)
  const document = parseDocument(withMark(source, from, position), { logLevel: "silent" })
  // Flows have no aliases; a document that has some is not resolved.
  const whole = Result.getOrElse(
    Result.try((): unknown => document.toJS({ maxAliasCount: 0 })),
    () => undefined
  )
  const open = before.lastIndexOf("${{")
  if (open > before.lastIndexOf("}}")) {
    const name = /[\w.]*$/u.exec(before)?.[0] ?? ""
    const words = expressionWords(
      registry,
      { contents: document.contents, position: open, variables: at(whole, ["variables"]) },
      name
    )
    return {
      from: position - name.slice(name.lastIndexOf(".") + 1).length,
      words: words.map(offered("name"))
    }
  }
  const place = placeOfMark(document.contents, [])
  if (place === undefined) return nothing(from)
  const schemas = schemasAt(schema, whole, place.path)
  const keys = place.isKey ? keysAt(schemas, at(whole, place.path)) : []
  // An item of an array may be a value as well as the beginning of an object.
  const values = !place.isKey || typeof place.path.at(-1) === "number" ? valuesOf(schemas) : []
  return {
    from,
    words: [...keys.map(offered("key")), ...values.map(offered("value"))]
  }
}
