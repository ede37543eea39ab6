/** The flow language: `docflow/dsl`. */
export { canonicalJson } from "./Canonical.ts"
export { check, type CheckOptions } from "./Check.ts"
export type { CheckedFlow, CheckedRetry, CheckedStep } from "./CheckedFlow.ts"
export { editorSchema } from "./EditorSchema.ts"
export { ConfigError, ExpressionError } from "./Errors.ts"
export * as Flow from "./Flow.ts"
export {
  CreditCost,
  DocumentLimits,
  FlowDefinition,
  FlowOutput,
  type FlowSource,
  Retry,
  Step
} from "./FlowDefinition.ts"
export { functions } from "./Functions.ts"
export type { FunctionKind } from "./FunctionKind.ts"
export { nearest } from "./Nearest.ts"
export { formatPath, type Path, type Problem } from "./Problem.ts"
export { Ref, type Written } from "./Ref.ts"
export { fromYaml } from "./ReadDefinition.ts"
export { renderProblem, renderProblems } from "./RenderProblem.ts"
export type { Scope } from "./Scope.ts"
export * as StepKind from "./StepKind.ts"
export * as StepRegistry from "./StepRegistry.ts"
export { toYaml, type ToYamlOptions } from "./ToYaml.ts"
export type { ValidateVariables, VariableProblem } from "./VariablesValidator.ts"
export { parseDuration } from "./Words.ts"
