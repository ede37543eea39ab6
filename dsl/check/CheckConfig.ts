import { Predicate, Result } from "effect"
import type { Path } from "../source/Problem.ts"
import type { Reading } from "./CheckBlock.ts"
import { nodeAt, type SourceNode, toJson } from "../source/Source.ts"
import type * as StepKind from "../model/StepKind.ts"
import { hasExpression } from "../expression/TemplateText.ts"

/** Reports what a kind finds wrong with its `with` beyond what the schema says. */
export const checkConfig = (
  kind: StepKind.Any,
  node: SourceNode,
  path: Path,
  { problems, isPublished }: Pick<Reading<never>, "problems" | "isPublished">
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
  for (const { message, onlyNew, path: inside, suggestion } of found)
    if (!isPublished || onlyNew !== true)
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
