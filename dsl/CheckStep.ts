import { Duration, Option, Predicate, Result } from "effect"
import type { CheckedRetry, CheckedStep } from "./CheckedFlow.ts"
import { type ConfigEvaluate, planConfig } from "./ConfigPlan.ts"
import { expressionScope, type FlowScope } from "./FlowScope.ts"
import type { Retry, Step } from "./FlowDefinition.ts"
import { didYouMean } from "./Nearest.ts"
import type { Path } from "./Problem.ts"
import type { Problems } from "./Problems.ts"
import { decodedType, encodedType } from "./SchemaType.ts"
import { type MapNode, type SourceNode, toJson } from "./Source.ts"
import type * as StepKind from "./StepKind.ts"
import { type StepRegistry, names } from "./StepRegistry.ts"
import { type Evaluate, evaluator, type Template } from "./Template.ts"
import { readCondition } from "./TemplateExpression.ts"
import { readTemplate, type TemplateContext } from "./TemplateReader.ts"
import * as Type from "./Type.ts"
import { fromJsonSchema } from "./TypeFromJsonSchema.ts"
import { toJsonSchema } from "./TypeToJsonSchema.ts"
import { parseDuration } from "./Words.ts"

/** A step as far as it could be read: the type of its output, and its parts if there is a kind to run it. */
export interface ReadStep<R> {
  readonly output: Type.Type
  /** Makes the checked step from its definition; to be called when the whole flow is without problems. */
  readonly finish: ((definition: Step) => CheckedStep<R>) | undefined
}

/** Checks one step against its kind. */
export const readStep = <R>(
  node: MapNode,
  path: Path,
  scope: FlowScope,
  registry: StepRegistry<R>,
  problems: Problems
): ReadStep<R> => {
  const context: TemplateContext = { problems, scope: expressionScope(scope), extraFields: "ignored" }
  const condition = readIf(node, path, context)
  const kind = readKind(node, path, registry, problems)
  if (kind === undefined) {
    readWith(node, path, Type.any, context)
    return { output: Type.never, finish: undefined }
  }
  const place = encodedType(kind.config)
  const template = readWith(node, path, place, context)
  const config = planConfig(template, kind.config, [...path, "with"], problems)
  return {
    output: outputType(kind, template, isSometimesAbsent(node), problems.touches([...path, "with"])),
    finish: (definition) => finished(definition, kind, config, condition)
  }
}

const textAt = (node: MapNode, key: string): string | undefined => {
  const value = node.entries.get(key)?.value
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined
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
      `There is no step kind "${name}"; there is ${known.join(", ")}.`,
      didYouMean(name, known)
    )
  }
  return kind
}

const readWith = (node: MapNode, path: Path, place: Type.Type, context: TemplateContext): Template => {
  const inside = [...path, "with"]
  const entry = node.entries.get("with")
  // Without `with`, what it lacks is reported at `uses`.
  const at = entry?.value ?? node.entries.get("uses")?.value ?? node
  const value: SourceNode = entry?.value ?? { kind: "map", entries: new Map(), start: at.start, end: at.end }
  return readTemplate(
    value,
    value.kind === "map" ? place : { kind: "object", fields: new Map(), rest: Type.any },
    inside,
    context
  )
}

const readIf = (node: MapNode, path: Path, context: TemplateContext): Evaluate | undefined => {
  const value = node.entries.get("if")?.value
  if (value?.kind !== "scalar" || context.scope === undefined) return undefined
  if (typeof value.value === "boolean") return () => Result.succeed(value.value)
  if (typeof value.value !== "string") return undefined
  return evaluator(readCondition(value, value.value, [...path, "if"], context, context.scope))
}

/** Whether the step may be skipped, or fail without the flow failing. */
const isSometimesAbsent = (node: MapNode): boolean =>
  node.entries.has("if") || textAt(node, "onError") === "continue"

const outputType = (kind: StepKind.Any, template: Template, absent: boolean, faulty: boolean): Type.Type => {
  // What follows from a faulty configuration is not worth a report of its own.
  if (faulty && kind.outputType !== undefined) return Type.never
  const type = typedByConfig(kind, template) ?? decodedType(kind.output)
  return absent ? Type.nullable(type) : type
}

const typedByConfig = (kind: StepKind.Any, template: Template): Type.Type | undefined => {
  const { outputType } = kind
  if (outputType === undefined) return undefined
  // The function is somebody else's: a configuration that was already reported may be too much for it.
  const schema = Result.try(() => outputType(toJson(template.node), toJsonSchema(template.type)))
  return Result.isSuccess(schema) && Predicate.isObject(schema.success)
    ? fromJsonSchema(schema.success, { closed: true })
    : undefined
}

const finished = <R>(
  definition: Step,
  kind: StepKind.Any<R>,
  config: ConfigEvaluate,
  condition: Evaluate | undefined
): CheckedStep<R> => ({
  id: definition.id,
  path: definition.id,
  uses: definition.uses,
  kind,
  config,
  onError: definition.onError,
  ...(condition === undefined
    ? {}
    : { condition: (scope) => Result.map(condition(scope), (value) => value === true) }),
  ...(definition.timeout === undefined ? {} : { timeout: duration(definition.timeout) }),
  ...(definition.retry === undefined ? {} : { retry: checkedRetry(definition.retry) })
})

const checkedRetry = (retry: Retry): CheckedRetry => ({
  attempts: retry.attempts,
  backoff: duration(retry.backoff),
  jitter: retry.jitter,
  on: retry.on
})

/** The text was checked by the schema of the definition. */
const duration = (text: string): Duration.Duration =>
  Option.getOrElse(parseDuration(text), () => Duration.zero)
