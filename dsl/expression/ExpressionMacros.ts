import type { ASTNode } from "@marcbachmann/cel-js"
import { wrong } from "./ExpressionAccess.ts"
import { type Analyse, type Analysis, type Frame, textOf, type Typed } from "./ExpressionAnalysis.ts"
import { condition } from "./ExpressionLogic.ts"
import { accepts, nullableAsOperands } from "./ExpressionOperators.ts"
import { elementTypes } from "./FunctionKind.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { isList, spend } from "../types/Values.ts"

type Each = (element: unknown) => unknown

/** How a macro combines the values of its last argument for all elements. */
interface Macro {
  readonly usage: string
  readonly judges: boolean
  readonly type: (items: Type.Type, body: Type.Type) => Type.Type
  readonly run: (values: ReadonlyArray<unknown>, each: Each) => unknown
}

/** Stops with `decisive` at the first element that has it; null if none has it but one is null. */
const until = (values: ReadonlyArray<unknown>, each: Each, decisive: boolean): boolean | null => {
  let judged = true
  for (const value of values) {
    const found = each(value)
    if (found === decisive) return decisive
    if (typeof found !== "boolean") judged = false
  }
  return judged ? !decisive : null
}

const judged = (_items: Type.Type, body: Type.Type): Type.Type => nullableAsOperands(Type.boolean, body)

const macros: Readonly<Record<string, Macro>> = {
  map: {
    usage: "list.map(x, value)",
    judges: false,
    type: (_, body) => Type.list(body),
    run: (values, each) => values.map(each)
  },
  filter: {
    usage: "list.filter(x, condition)",
    judges: true,
    type: (items) => Type.list(items),
    run: (values, each) => values.filter((value) => each(value) === true)
  },
  all: {
    usage: "list.all(x, condition)",
    judges: true,
    type: judged,
    run: (values, each) => until(values, each, false)
  },
  exists: {
    usage: "list.exists(x, condition)",
    judges: true,
    type: judged,
    run: (values, each) => until(values, each, true)
  },
  exists_one: {
    usage: "list.exists_one(x, condition)",
    judges: true,
    type: () => Type.boolean,
    run: (values, each) => values.filter((value) => each(value) === true).length === 1
  }
}

/** The names of the macros. */
export const macroNames: ReadonlyArray<string> = Object.keys(macros)

/** Whether a function of that name evaluates an expression for each element of an array. */
export const isMacro = (name: string): boolean => Object.hasOwn(macros, name)

/** `list.map(x, …)` and the other macros. */
export const analyseMacro = (
  node: ASTNode,
  name: string,
  args: ReadonlyArray<ASTNode>,
  analyse: Analyse,
  analysis: Analysis
): Typed => {
  const macro = macros[name]
  const [listNode, nameNode, ...bodies] = args
  const most = name === "map" ? 2 : 1
  if (
    macro === undefined ||
    listNode === undefined ||
    nameNode?.op !== "id" ||
    bodies.length < 1 ||
    bodies.length > most
  ) {
    analysis.report(node, `${name} must be called as ${macro?.usage ?? name}.`)
    return wrong
  }
  const source = analyse(listNode, analysis)
  if (!accepts(source.type, ["list"])) {
    const suggestion = accepts(source.type, ["object"])
      ? `Did you mean values(${textOf(listNode)})?`
      : undefined
    analysis.report(
      listNode,
      `${name} takes an array; ${textOf(listNode)} is ${describe(source.type)}.`,
      suggestion
    )
    return wrong
  }
  const items = Type.union(elementTypes(source.type))
  const inner = withLocal(analysis, nameNode.args, items)
  return summed(macro, source, items, analyseBodies(macro, bodies, analyse, inner), analysis.locals.length)
}

/** The last argument, and the condition before it that only `map` may have. */
interface Bodies {
  readonly only: Typed | undefined
  readonly body: Typed
}

const analyseBodies = (
  macro: Macro,
  nodes: ReadonlyArray<ASTNode>,
  analyse: Analyse,
  inner: Analysis
): Bodies => {
  const [first, second] = nodes
  const judge = (node: ASTNode | undefined) => (node === undefined ? wrong : condition(node, analyse, inner))
  if (second !== undefined) return { only: judge(first), body: analyse(second, inner) }
  if (first === undefined) return { only: undefined, body: wrong }
  return { only: undefined, body: macro.judges ? judge(first) : analyse(first, inner) }
}

const summed = (
  macro: Macro,
  source: Typed,
  items: Type.Type,
  { body, only }: Bodies,
  depth: number
): Typed => ({
  type: nullableAsOperands(macro.type(items, body.type), source.type),
  compute: (frame) => {
    const values = source.compute(frame)
    if (!isList(values)) return null
    const kept =
      only === undefined ? values : values.filter((value) => visit(frame, depth, only, value) === true)
    return macro.run(kept, (value) => visit(frame, depth, body, value))
  }
})

/** Computes the body for one element; computes nothing once the budget is used up. */
const visit = (frame: Frame, depth: number, body: Typed, element: unknown): unknown => {
  if (!spend(frame.budget, 1)) return null
  const locals = [...frame.locals.slice(0, depth), element ?? null]
  return body.compute({ scope: frame.scope, locals, budget: frame.budget })
}

const withLocal = (analysis: Analysis, name: string, type: Type.Type): Analysis => ({
  ...analysis,
  locals: [...analysis.locals, { name, type }],
  present: new Set([...analysis.present].filter((path) => path !== name && !path.startsWith(`${name}.`)))
})
