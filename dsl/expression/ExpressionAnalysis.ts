import type { ASTNode } from "@marcbachmann/cel-js"
import type { Scope } from "./Scope.ts"
import type * as Type from "../types/Type.ts"
import type { Budget } from "../types/Values.ts"

/** What a compiled expression works with while it runs. */
export interface Frame {
  readonly scope: Scope
  readonly locals: ReadonlyArray<unknown>
  readonly budget: Budget
}

/** Computes a value; it never throws, and what cannot be computed is null. */
export type Compute = (frame: Frame) => unknown

/** A part of an expression after its check: the type of its values, and how to compute them. */
export interface Typed {
  readonly type: Type.Type
  readonly compute: Compute
}

/** The type of a local name, as in `list.map(name, …)`; its value is at `locals[index]`. */
export interface Local {
  readonly name: string
  readonly type: Type.Type
}

/** What the checker knows around the node at hand. */
export interface Analysis {
  /** The types of `input`, `variables`, `steps` and, inside a loop, `item`. */
  readonly scope: Type.ObjectType
  /** Says why a step that exists cannot be referred to. */
  readonly stepHint: (id: string) => string | undefined
  readonly locals: ReadonlyArray<Local>
  /** The paths that are known not to be null here, such as `steps.a.b`, because of a condition. */
  readonly present: ReadonlySet<string>
  /** Reports a problem at the start of a node, or at an offset in the expression. */
  readonly report: (at: ASTNode | number, message: string, suggestion?: string) => void
}

/** Checks and compiles a node. Passed as an argument, because expressions contain expressions. */
export type Analyse = (node: ASTNode, analysis: Analysis) => Typed

/** The text of a node as the author wrote it. */
export const textOf = (node: ASTNode): string => node.input.slice(node.start, node.end).trim()

/** The path that a node represents, such as `steps.a.b`; undefined for any other node. */
export const pathOf = (node: ASTNode): string | undefined => {
  if (node.op === "id") return node.args
  if (node.op !== ".") return undefined
  const base = pathOf(node.args[0])
  return base === undefined ? undefined : `${base}.${node.args[1]}`
}
