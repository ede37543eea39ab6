import { Predicate, Result, type JsonSchema } from "effect"
import { checkJsonSchema } from "./CheckJsonSchema.ts"
import { expressionScope, type FlowScope } from "./FlowScope.ts"
import { type FindOutputProblem, outputValidator } from "../model/OutputValidator.ts"
import type { Problems } from "../source/Problems.ts"
import { type MapNode, nodeAt, toJson } from "../source/Source.ts"
import { type Evaluate, evaluator } from "../expression/Template.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import * as Type from "../types/Type.ts"
import { fromJsonSchema } from "../types/TypeFromJsonSchema.ts"
import { toJsonSchema } from "../types/TypeToJsonSchema.ts"

/** The output of a flow, compiled. */
export interface CheckedOutput {
  readonly schema: JsonSchema.JsonSchema
  readonly evaluate: Evaluate
  readonly judge: FindOutputProblem
}

/** Checks that `output.value` matches `output.schema`. */
export const checkOutput = (root: MapNode, scope: FlowScope, problems: Problems): CheckedOutput => {
  const schemaNode = nodeAt(root, ["output", "schema"])
  const valueNode = nodeAt(root, ["output", "value"])
  if (schemaNode?.kind === "map") checkJsonSchema(schemaNode, ["output", "schema"], problems)
  const written = schemaNode === undefined ? undefined : toJson(schemaNode)
  const place = written === undefined ? Type.any : fromJsonSchema(written, { closed: false })
  if (valueNode === undefined)
    return { schema: {}, evaluate: () => Result.succeed(null), judge: nothingWrong }
  const template = readTemplate(valueNode, place, ["output", "value"], {
    problems,
    scope: expressionScope(scope),
    extraFields: "refused"
  })
  return {
    schema: Predicate.isObject(written) ? { ...written } : toJsonSchema(template.type),
    evaluate: evaluator(template),
    judge: Predicate.isObject(written) ? outputValidator({ ...written }) : nothingWrong
  }
}

const nothingWrong: FindOutputProblem = () => undefined
