/** The flow language: `docflow/dsl`. */
export * as StepKind from "./StepKind.ts"
export * as StepRegistry from "./StepRegistry.ts"
export type * from "./CheckedFlow.ts"
export * from "./Errors.ts"
export * from "./FlowDefinition.ts"
export type { Scope } from "./Scope.ts"
export type * from "./VariablesValidator.ts"
