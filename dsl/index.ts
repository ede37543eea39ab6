/** The flow language: `docflow/dsl`. */
export { canonicalJson } from "../src/support/CanonicalJson.ts"
export { check, type CheckOptions } from "./check/Check.ts"
export type {
  CheckedBlock,
  CheckedFlow,
  CheckedRetry,
  CheckedStep,
  CheckedTask
} from "./model/CheckedFlow.ts"
export { editorSchema } from "./tools/EditorSchema.ts"
export { ConfigError, ExpressionError } from "./expression/EvaluationErrors.ts"
export * as Flow from "./builder/FlowBuilder.ts"
export {
  CreditCost,
  DocumentLimits,
  FlowDefinition,
  FlowOutput,
  type FlowSource
} from "./model/FlowDefinition.ts"
export { type FlowCall, type Pins, pinsOf } from "./model/FlowCalls.ts"
export { FlowLibrary, type FlowText, type LibraryOptions } from "./check/FlowLibrary.ts"
export { functions } from "./expression/Functions.ts"
export type { FunctionKind } from "./expression/FunctionKind.ts"
export { toMermaid } from "./tools/Mermaid.ts"
export { nearest } from "./source/Nearest.ts"
export { formatPath, type Path, type Problem } from "./source/Problem.ts"
export { Ref, type Written } from "./builder/Ref.ts"
export { followed, plan, type Plan } from "./tools/Plan.ts"
export type { Bump } from "./tools/CompareTypes.ts"
export { fromYaml } from "./model/ReadDefinition.ts"
export { reference } from "./tools/Reference.ts"
export { renderProblem, renderProblems } from "./source/RenderProblem.ts"
export type { Scope } from "./expression/Scope.ts"
export { Block, ForEach, Retry, Step, type StepSource, Switch } from "./model/StepDefinition.ts"
export * as StepKind from "./model/StepKind.ts"
export * as StepRegistry from "./model/StepRegistry.ts"
export { toYaml, type ToYamlOptions } from "./tools/ToYaml.ts"
export type { ValidateVariables, VariableProblem } from "./model/RunValidators.ts"
export { parseDuration } from "./model/Words.ts"
