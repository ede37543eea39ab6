import { Result, Schema } from "effect"
import { didYouMean } from "../../../dsl/source/Nearest.ts"
import type { Problem } from "../../../dsl/source/Problem.ts"
import type { Problems } from "../../../dsl/source/Problems.ts"
import { addSchemaProblems } from "../../../dsl/source/SchemaProblems.ts"
import { encodedType } from "../../../dsl/types/SchemaType.ts"
import { type MapNode, nodeAt, type SourceNode, textAt, toJson } from "../../../dsl/source/Source.ts"
import { readTemplate } from "../../../dsl/expression/TemplateReader.ts"
import { parseYaml } from "../../../dsl/source/Yaml.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { findUnknown, type Known, knownOf, parseOutputPath } from "./OutputPath.ts"
import { Expectation, isDetailed, type TestCase, TestSet } from "./TestSet.ts"

const decode = Schema.decodeUnknownResult(TestSet, { errors: "all" })
const decodeExpectation = Schema.decodeUnknownResult(Expectation, { errors: "all" })

/** Test sets have no expressions: a string that looks like one is a string. */
const plain = (problems: Problems) =>
  ({ problems, scope: undefined, isDeferred: () => true, extraFields: "refused" }) as const

/** Options of a check. */
export interface TestSetOptions {
  readonly file: string
  readonly flow: RunnableFlow
  /** Whether a document exists, by its path in the set. */
  readonly exists: (document: string) => boolean
}

/** Checks the text of a test set; returns all its problems, or the set. */
export const checkTestSet = (
  text: string,
  { exists, file, flow }: TestSetOptions
): Result.Result<TestSet, ReadonlyArray<Problem>> => {
  const { problems, root } = parseYaml(text, file)
  const set = root === undefined ? undefined : readSet(root, problems)
  if (root !== undefined && set !== undefined) {
    checkFlow(set, root, flow, problems)
    const known = knownOf(flow)
    for (const [index, one] of set.cases.entries()) {
      const node = nodeAt(root, ["cases", index])
      if (node?.kind === "map") checkCase({ one, node, index, problems, known, flow, exists })
    }
  }
  const found = problems.list()
  return set === undefined || found.length > 0 ? Result.fail(found) : Result.succeed(set)
}

const readSet = (root: SourceNode, problems: Problems): TestSet | undefined => {
  if (root.kind !== "map") {
    problems.add(root, [], "A test set is an object; it begins with `tests: 1`.")
    return undefined
  }
  readTemplate(root, encodedType(TestSet), [], plain(problems))
  const decoded = decode(toJson(root))
  if (Result.isSuccess(decoded)) return decoded.success
  addSchemaProblems(problems, decoded.failure.issue, root, [])
  return undefined
}

const checkFlow = (
  set: TestSet,
  root: SourceNode,
  { definition }: RunnableFlow,
  problems: Problems
): void => {
  if (set.flow === undefined || set.flow === definition.id) return
  const message = `This test set is for the flow "${set.flow}", and the flow is "${definition.id}".`
  problems.add(nodeAt(root, ["flow"]) ?? root, ["flow"], message)
}

interface CaseAt {
  readonly one: TestCase
  readonly node: MapNode
  readonly index: number
  readonly problems: Problems
  readonly known: Known
  readonly flow: RunnableFlow
  readonly exists: (document: string) => boolean
}

const checkCase = (at: CaseAt): void => {
  const { exists, flow, index, node, one, problems } = at
  const path = ["cases", index]
  if (!exists(one.document))
    problems.add(
      nodeAt(node, ["document"]) ?? node,
      [...path, "document"],
      `File not found: ${one.document}.`
    )
  // A case may test that a wrong variable is refused.
  const judged = one.error === undefined ? flow.validateVariables(one.variables) : Result.succeed({})
  if (Result.isFailure(judged)) {
    for (const { field, reason } of judged.failure)
      problems.add(nodeAt(node, ["variables"]) ?? node, [...path, "variables"], `${field} ${reason}.`)
  }
  if (one.status === "completed" && one.error !== undefined)
    problems.add(nodeAt(node, ["error"]) ?? node, [...path, "error"], "A case that completes has no error.")
  if (one.status === undefined && one.error === undefined && one.expect === undefined)
    problems.add(node, path, "The case has no expectation. Add `expect`, `status` or `error`.")
  const expect = node.entries.get("expect")?.value
  if (expect?.kind === "map") checkExpectations(expect, [...path, "expect"], at)
}

const checkExpectations = (node: MapNode, path: ReadonlyArray<string | number>, at: CaseAt): void => {
  for (const [name, { key, value }] of node.entries) {
    const here = [...path, name]
    const parts = parseOutputPath(name)
    const unknown = parts === undefined ? undefined : findUnknown(parts, at.known)
    if (parts === undefined)
      at.problems.add(key, here, `"${name}" is not a path. Write one like \`lineItems[0].amount\`.`)
    if (unknown !== undefined) {
      const known = unknown.known.length === 0 ? "nothing is" : unknown.known.join(", ")
      const message = `The output has no "${unknown.part}" here; known: ${known}.`
      at.problems.add(key, here, message, didYouMean(String(unknown.part), unknown.known))
    }
    const json = at.one.expect?.[name]
    if (value.kind === "map" && json !== undefined && isDetailed(json)) {
      readTemplate(value, encodedType(Expectation), here, plain(at.problems))
      const decoded = decodeExpectation(json)
      if (Result.isFailure(decoded)) addSchemaProblems(at.problems, decoded.failure.issue, value, here)
    }
  }
}

/** The documents that the text of a test set names, whatever else is wrong with it. */
export const documentsIn = (text: string): ReadonlyArray<string> => {
  const { root } = parseYaml(text, "")
  const cases = root === undefined ? undefined : nodeAt(root, ["cases"])
  if (cases?.kind !== "list") return []
  return cases.items.flatMap((one) => (one.kind === "map" ? (textAt(one, "document") ?? []) : []))
}
