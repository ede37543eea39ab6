import type { ExpressionScope } from "./Expression.ts"
import * as Type from "./Type.ts"

/** The accepted document, as `DocumentRef` describes it; its bytes are where `blob` says. */
const documentType: Type.ObjectType = {
  kind: "object",
  fields: new Map([
    ["mimeType", { type: Type.string, optional: false }],
    ["filename", { type: Type.string, optional: true }],
    ["size", { type: Type.integer, optional: false }],
    ["pageCount", { type: Type.integer, optional: false }],
    ["blob", { type: Type.string, optional: false }]
  ]),
  rest: undefined
}

/** What is known at one place of a flow: the variables, and the steps that have run before. */
export interface FlowScope {
  readonly variables: Type.Type
  readonly steps: ReadonlyMap<string, Type.Type>
  /** The ids of all steps of the flow, to tell "later" from "nowhere". */
  readonly allSteps: ReadonlySet<string>
  /** The step whose configuration is being read. */
  readonly current?: string
  readonly item?: Type.Type
}

/** The scope of the expressions at that place. */
export const expressionScope = (scope: FlowScope): ExpressionScope => ({
  types: Type.object({
    input: Type.object({ document: documentType, variables: scope.variables }),
    variables: scope.variables,
    steps: Type.object(Object.fromEntries(scope.steps)),
    ...(scope.item === undefined ? {} : { item: scope.item })
  }),
  stepHint: (id) => {
    if (id === scope.current) return `Step "${id}" cannot refer to itself.`
    return scope.allSteps.has(id)
      ? `Step "${id}" comes later; only steps that stand before this one can be used.`
      : undefined
  }
})

/** The scope after a step whose output has this type. */
export const withStep = (scope: FlowScope, id: string, output: Type.Type): FlowScope => ({
  ...scope,
  steps: new Map(scope.steps).set(id, output)
})
