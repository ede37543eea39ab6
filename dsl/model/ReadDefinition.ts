import { Result, Schema } from "effect"
import { FlowDefinition } from "./FlowDefinition.ts"
import type { Path, Problem } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { addSchemaProblems } from "../source/SchemaProblems.ts"
import { encodedType } from "../types/SchemaType.ts"
import { type MapNode, type SourceNode, toJson } from "../source/Source.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import { parseYaml } from "../source/Yaml.ts"

/** Reads a definition from YAML: checks its shape, but not its steps and expressions. */
export const fromYaml = (
  text: string,
  file: string
): Result.Result<FlowDefinition, ReadonlyArray<Problem>> => {
  const { problems, root } = parseYaml(text, file)
  const top = root === undefined ? undefined : asFlow(root, problems)
  if (top !== undefined) checkShape(top, problems)
  const definition = top === undefined ? undefined : decodeDefinition(top, problems)
  const found = problems.list()
  return definition === undefined || found.length > 0 ? Result.fail(found) : Result.succeed(definition)
}

/** The top of a flow file, which is an object. */
export const asFlow = (root: SourceNode, problems: Problems): MapNode | undefined => {
  if (root.kind === "map") return root
  problems.add(root, [], "A flow is an object that begins with `docflow: 1`.")
  return undefined
}

/** Reports unknown and missing keys, and values of the wrong type, except where another check does. */
export const checkShape = (root: MapNode, problems: Problems): void => {
  readTemplate(root, encodedType(FlowDefinition), [], {
    problems,
    scope: undefined,
    isDeferred,
    extraFields: "refused"
  })
}

const evaluated: ReadonlySet<string | number> = new Set(["with", "if", "in", "when", "output"])

const isDeferred = (path: Path): boolean =>
  path[0] === "steps"
    ? path.slice(2).some((part) => evaluated.has(part))
    : path[0] === "output" && path[1] === "value"

const decodeFlow = Schema.decodeUnknownResult(FlowDefinition, { errors: "all" })

/** The typed definition; reports what the schema refuses, unless it has been reported. */
export const decodeDefinition = (root: MapNode, problems: Problems): FlowDefinition | undefined => {
  const decoded = decodeFlow(toJson(root))
  if (Result.isSuccess(decoded)) return decoded.success
  addSchemaProblems(problems, decoded.failure.issue, root, [])
  return undefined
}
