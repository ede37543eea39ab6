import type { ExpressionScope } from "../expression/Expression.ts"
import * as Type from "../types/Type.ts"

/** The accepted document, as `DocumentRef` describes it; `blob` names its bytes. */
const documentType: Type.ObjectType = {
  kind: "object",
  fields: new Map([
    ["mimeType", { type: Type.string, optional: false }],
    ["filename", { type: Type.string, optional: true }],
    ["size", { type: Type.integer, optional: false }],
    ["pageCount", { type: Type.integer, optional: false }],
    ["blob", { type: Type.string, optional: false }],
    // Only if the flow runs as a step of another one, on a part of a document.
    ["pages", { type: Type.object({ from: Type.integer, to: Type.integer }), optional: true }],
    ["read", { type: Type.any, optional: true }]
  ]),
  rest: undefined,
  isDocument: true
}

/** What expressions at one position of a flow can refer to: the variables, and the steps that have run before. */
export interface FlowScope {
  readonly variables: Type.Type
  readonly steps: ReadonlyMap<string, Type.Type>
  /** The ids of the steps next to this one and around it, to tell "later" from "nowhere". */
  readonly allSteps: ReadonlySet<string>
  /** The ids of all nested steps, each with the outermost step that contains it. */
  readonly inside: ReadonlyMap<string, string>
  /** The step whose configuration is being checked, after those that contain it. */
  readonly around: ReadonlyArray<string>
  /** Names that loops and error handlers add: the element, `index`, `error`. */
  readonly locals: ReadonlyMap<string, Type.Type>
  /** The paths that cannot be null here, as `steps.a.b`: the step is only reached where an `if` or a `when` said so. */
  readonly present: ReadonlySet<string>
}

/** The scope of the expressions at that position. */
export const expressionScope = (scope: FlowScope): ExpressionScope => ({
  types: Type.object({
    input: Type.object({ document: documentType, variables: scope.variables }),
    variables: scope.variables,
    steps: Type.object(Object.fromEntries(scope.steps)),
    ...Object.fromEntries(scope.locals)
  }),
  stepHint: (id) => stepHint(scope, id),
  present: scope.present
})

const stepHint = (scope: FlowScope, id: string): string | undefined => {
  if (scope.around.at(-1) === id) return `Step "${id}" cannot refer to itself.`
  if (scope.around.includes(id))
    return `Step "${id}" contains this step, so its output is not available here.`
  if (scope.allSteps.has(id)) {
    return `Step "${id}" comes later. Only steps before this one can be used.`
  }
  const block = scope.inside.get(id)
  return block === undefined
    ? undefined
    : `Step "${id}" is inside "${block}"; outside of it, only its output steps.${block} is available.`
}

/** The scope after a step whose output has this type. */
export const withStep = (scope: FlowScope, id: string, output: Type.Type): FlowScope => ({
  ...scope,
  steps: new Map(scope.steps).set(id, output)
})

/** The scope with names that a loop or an error handler adds; facts about outer names that they hide are dropped. */
export const withLocals = (scope: FlowScope, locals: Readonly<Record<string, Type.Type>>): FlowScope => ({
  ...scope,
  locals: new Map([...scope.locals, ...Object.entries(locals)]),
  present: new Set([...scope.present].filter((path) => !Object.hasOwn(locals, path.split(".", 1)[0] ?? "")))
})

/** The scope after a condition that holds. */
export const withPresent = (scope: FlowScope, present: ReadonlyArray<string> = []): FlowScope =>
  present.length === 0 ? scope : { ...scope, present: new Set([...scope.present, ...present]) }
