/** docflow in a program: `import { Docflow } from "docflow"`. */
export { Docflow, DocflowClosed, type DocflowOptions, type DocflowRunOptions, layerLocal } from "./Docflow.ts"
export {
  FlowProblems,
  LocalRuns,
  type RunOptions,
  RunRefused,
  type RunResult
} from "./services/local-runs/LocalRuns.ts"
export { UnreadableFlow } from "./services/local-runs/RunFlowFile.ts"
export { StepKind, StepRegistry } from "../dsl/index.ts"
export { steps } from "./steps/All.ts"
