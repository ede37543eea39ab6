import type * as StepKind from "../model/StepKind.ts"
import * as Type from "../types/Type.ts"
import { Predicate, Result, UndefinedOr } from "effect"
import type { CheckedCall, CheckedFlow, CheckedRetry, CheckedTask } from "../model/CheckedFlow.ts"
import type { Reading } from "./CheckBlock.ts"
import type { ReadBody } from "./CheckControlSteps.ts"
import { durationOf, idsOf } from "./CheckedParts.ts"
import { type ConfigEvaluate, planConfig } from "./ConfigPlan.ts"
import { expressionScope, type FlowScope } from "./FlowScope.ts"
import { didYouMean } from "../source/Nearest.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { decodedType, encodedType } from "../types/SchemaType.ts"
import { type MapNode, nodeAt, type SourceNode, textAt, toJson } from "../source/Source.ts"
import type { Retry, Step } from "../model/StepDefinition.ts"
import { names, type StepRegistry } from "../model/StepRegistry.ts"
import { hasExpression, type Template } from "../expression/Template.ts"
import { readTemplate, type TemplateContext } from "../expression/TemplateReader.ts"
import { fromJsonSchema, toJsonSchema } from "../types/JsonSchemaTypes.ts"
import { defined } from "../../src/support/Defined.ts"
import { callOf, type FoundFlow } from "../model/FlowCalls.ts"
import { variablesType } from "../model/VariablesType.ts"

/** A step that calls a flow which exists and has no problems. */
interface ReadCall<R> {
  /** The place of `with`, its variables typed as the flow declares them. */
  readonly placeOf: (place: Type.Type) => Type.Type
  readonly output: Type.Type
  readonly finish: (config: ConfigEvaluate) => Omit<CheckedCall<R>, "id" | "onError">
}

/** The maximum number of steps, those of called flows included. More are a mistake. */
const mostSteps = 5_000

/** Finds the flow that a step calls; reports why it cannot be called. */
const readCall = <R>(node: MapNode, path: Path, reading: Reading<R>): ReadCall<R> | undefined => {
  const { problems } = reading
  for (const key of ["retry", "cache"] as const) {
    const entry = node.entries.get(key)
    if (entry === undefined) continue
    const message = `"${key}" is not allowed in a step that runs a flow.`
    problems.add(entry.key, [...path, key], message, "Move it to the steps of that flow.")
  }
  const wanted = callOf(node)
  // The schema reports missing values and values that are no strings; expressions are reported as such.
  if (wanted === undefined || hasExpression(wanted.flow) || hasExpression(wanted.range ?? ""))
    return undefined
  const found: FoundFlow<R> = reading.flows?.(wanted.flow, wanted.range) ?? { _tag: "NoFlow", known: [] }
  if (found._tag !== "Found") {
    const key = found._tag === "NoVersion" && wanted.range !== undefined ? "version" : "flow"
    const { message, suggestion } = describe(found, wanted.flow, wanted.range)
    problems.add(nodeAt(node, ["with", key]) ?? node, [...path, "with", key], message, suggestion)
    return undefined
  }
  const { flow } = found
  const size = flow.steps.reduce((total, step) => total + step.size, 0)
  const at = nodeAt(node, ["with", "flow"]) ?? node
  if (size > mostSteps) {
    const message = `With the flows that it runs, this makes ${size} steps; the limit is ${mostSteps}.`
    problems.add(at, [...path, "with", "flow"], message)
    return undefined
  }
  checkHandler(node, path, flow, reading)
  reading.calls.push({ ...wanted, version: flow.definition.version })
  return {
    placeOf: (place) => withVariables(place, variablesType(flow.definition)),
    output: fromJsonSchema(flow.outputSchema, { closed: true }),
    finish: (config) => ({ action: "flow", flow, config, size })
  }
}

/** The steps of the flow and those of the handler share the paths below the step. */
const checkHandler = <R>(node: MapNode, path: Path, flow: CheckedFlow<R>, { problems }: Reading<R>): void => {
  const handler = node.entries.get("onError")
  if (handler?.value.kind !== "list" || idsOf(handler.value.items).length === 0) return
  if (!flow.steps.some(({ id }) => id === "onError")) return
  const message = `The flow ${flow.definition.id} has a step called "onError"; onError cannot have steps here.`
  problems.add(handler.key, [...path, "onError"], message)
}

interface Description {
  readonly message: string
  readonly suggestion?: string | undefined
}

const describe = <R>(
  found: Exclude<FoundFlow<R>, { readonly _tag: "Found" }>,
  flow: string,
  range: string | undefined
): Description => {
  switch (found._tag) {
    case "NoFlow":
      return found.known.length === 0
        ? { message: `Unknown flow "${flow}": there are no flows here.` }
        : {
            message: `Unknown flow "${flow}". Available: ${found.known.join(", ")}.`,
            suggestion: didYouMean(flow, found.known)
          }
    case "NoVersion":
      return {
        message: `No version of "${flow}" matches "${range ?? ""}". Available: ${found.known.join(", ")}.`
      }
    case "Faulty": {
      const { column, file, line, message } = found.problem
      return {
        message: `The flow ${flow} ${found.version} has problems: ${file}:${line}:${column}: ${message}`
      }
    }
    case "Cycle":
      return { message: `The flow would run itself: ${found.way.join(" → ")}.` }
    case "TooDeep":
      return { message: `Flows are nested more than ${found.most} levels deep.` }
  }
}

const withVariables = (place: Type.Type, variables: Type.Type): Type.Type => {
  const [object] = Type.members(place)
  if (object?.kind !== "object") return place
  const required = Type.members(variables).some(
    (member) => member.kind === "object" && [...member.fields.values()].some(({ optional }) => !optional)
  )
  const field = { type: variables, optional: !required }
  return { ...object, fields: new Map(object.fields).set("variables", field) }
}

/** Reports what a kind finds wrong with its `with` beyond what the schema says. */
const checkConfig = (
  kind: StepKind.Any,
  node: SourceNode,
  path: Path,
  { problems }: Pick<Reading<never>, "problems">
): void => {
  for (const name of kind.literal ?? []) {
    const value = node.kind === "map" ? node.entries.get(name)?.value : undefined
    for (const { at, node: text } of value === undefined ? [] : expressionsIn(value, [...path, name]))
      problems.add(text, at, `Expressions are not allowed here: "${name}" must be known before a run.`)
  }
  if (kind.problems === undefined || problems.touches(path)) return
  const { problems: judge } = kind
  // The function is not ours and may throw.
  const found = Result.getOrElse(
    Result.try(() => judge(toJson(node))),
    () => []
  )
  for (const { message, path: inside, suggestion } of found)
    problems.add(nodeAt(node, inside) ?? node, [...path, ...inside], message, suggestion)
}

interface Found {
  readonly node: SourceNode
  readonly at: Path
}

const expressionsIn = (node: SourceNode, at: Path): ReadonlyArray<Found> => {
  if (node.kind === "list") return node.items.flatMap((item, index) => expressionsIn(item, [...at, index]))
  if (node.kind === "map")
    return [...node.entries].flatMap(([name, { value }]) => expressionsIn(value, [...at, name]))
  return Predicate.isString(node.value) && hasExpression(node.value) ? [{ node, at }] : []
}

/** Checks a step that uses a step kind against that kind. */
export const readTask = <R>(
  node: MapNode,
  path: Path,
  scope: FlowScope,
  reading: Reading<R>
): ReadBody<R> => {
  const { problems, registry } = reading
  const context: TemplateContext = { problems, scope: expressionScope(scope), extraFields: "ignored" }
  const kind = readKind(node, path, registry, problems)
  if (kind === undefined) {
    readWith(node, path, Type.any, context)
    return { output: Type.never, isEnd: false, finish: undefined }
  }
  const call = kind.runsFlow === true ? readCall(node, path, reading) : undefined
  const place = encodedType(kind.config)
  const template = readWith(node, path, call === undefined ? place : call.placeOf(place), context)
  const config = planConfig(template, kind.config, [...path, "with"], problems)
  checkConfig(kind, template.node, [...path, "with"], reading)
  if (kind.runsFlow === true)
    return { output: call?.output ?? Type.never, isEnd: false, finish: call && (() => call.finish(config)) }
  return {
    output: outputType(kind, template, problems.touches([...path, "with"])),
    isEnd: kind.neverCompletes === true,
    finish: (definition) => finished(definition, kind, template, config)
  }
}

const readKind = <R>(
  node: MapNode,
  path: Path,
  registry: StepRegistry<R>,
  problems: Problems
): StepKind.Any<R> | undefined => {
  const name = textAt(node, "uses")
  const kind = name === undefined ? undefined : registry.kinds.get(name)
  if (name !== undefined && kind === undefined) {
    const known = names(registry)
    problems.add(
      node.entries.get("uses")?.value ?? node,
      [...path, "uses"],
      `Unknown step kind "${name}". Available: ${known.join(", ")}.`,
      didYouMean(name, known)
    )
  }
  return kind
}

const readWith = (node: MapNode, path: Path, place: Type.Type, context: TemplateContext): Template => {
  const inside = [...path, "with"]
  const entry = node.entries.get("with")
  // If `with` is omitted, missing keys are reported at `uses`.
  const at = entry?.value ?? node.entries.get("uses")?.value ?? node
  const value: SourceNode = entry?.value ?? { kind: "map", entries: new Map(), start: at.start, end: at.end }
  return readTemplate(
    value,
    value.kind === "map" ? place : { kind: "object", fields: new Map(), rest: Type.any },
    inside,
    context
  )
}

const outputType = (kind: StepKind.Any, template: Template, faulty: boolean): Type.Type => {
  // Problems that follow from a wrong configuration are not reported again.
  if (faulty && kind.outputType !== undefined) return Type.never
  return typedByConfig(kind, template) ?? decodedType(kind.output)
}

const typedByConfig = (kind: StepKind.Any, template: Template): Type.Type | undefined => {
  const { outputType } = kind
  if (outputType === undefined) return undefined
  // The function is not ours: a configuration with reported problems may make it throw.
  const schema = Result.try(() => outputType(toJson(template.node), toJsonSchema(template.type)))
  return Result.isSuccess(schema) && Predicate.isObject(schema.success)
    ? fromJsonSchema(schema.success, { closed: true })
    : undefined
}

const onlyComputes = ({ onlyComputes: rule }: StepKind.Any, { node }: Template): boolean =>
  typeof rule === "function" ? rule(toJson(node)) : rule === true

const finished = <R>(
  { cache, retry, uses = "" }: Step,
  kind: StepKind.Any<R>,
  template: Template,
  config: ConfigEvaluate
): Omit<CheckedTask<R>, "id" | "onError"> => ({
  action: "uses",
  uses,
  kind,
  onlyComputes: onlyComputes(kind, template),
  config,
  size: 1,
  ...defined({ retry: UndefinedOr.map(retry, checkedRetry), cache: UndefinedOr.map(cache, durationOf) })
})

const checkedRetry = (retry: Retry): CheckedRetry => ({
  attempts: retry.attempts,
  backoff: durationOf(retry.backoff),
  jitter: retry.jitter,
  on: retry.on
})
