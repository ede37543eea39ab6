import type { Reading } from "./CheckBlock.ts"
import type { CheckedCall, CheckedFlow } from "../model/CheckedFlow.ts"
import type { ConfigEvaluate } from "./ConfigPlan.ts"
import { callOf, type FoundFlow } from "../model/FlowCalls.ts"
import { didYouMean } from "../source/Nearest.ts"
import type { Path } from "../source/Problem.ts"
import { type MapNode, nodeAt } from "../source/Source.ts"
import { idsOf } from "./StepIds.ts"
import { hasExpression } from "../expression/TemplateText.ts"
import * as Type from "../types/Type.ts"
import { fromJsonSchema } from "../types/TypeFromJsonSchema.ts"
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
export const readCall = <R>(node: MapNode, path: Path, reading: Reading<R>): ReadCall<R> | undefined => {
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
