import { SchemaIssue } from "effect"
import type { Path } from "./Problem.ts"
import type { Problems } from "./Problems.ts"
import { nodeAt, type SourceNode } from "./Source.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** One problem that a schema found. */
export interface SchemaProblem {
  readonly path: Path
  readonly message: string
}

/** Splits a schema issue into problems. */
export const schemaProblems = (issue: SchemaIssue.Issue): ReadonlyArray<SchemaProblem> =>
  format(issue).issues.map(({ message, path }) => ({
    path: (path ?? []).map(toPart),
    message: /[.!?]$/u.test(message) ? message : `${message}.`
  }))

const toPart = (part: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? key : String(key)
}

/**
 * Reports what a schema found below `path`, except where a problem has been reported. Missing keys always have been: as
 * missing, or as the correction of a misspelt one.
 */
export const addSchemaProblems = (
  problems: Problems,
  issue: SchemaIssue.Issue,
  node: SourceNode,
  path: Path
): void => {
  for (const { message, path: inside } of schemaProblems(issue)) {
    const full = [...path, ...inside]
    if (!message.startsWith("Missing key") && !problems.touches(full))
      problems.add(nodeAt(node, inside) ?? node, full, message)
  }
}
