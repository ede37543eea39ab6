/** docflow in a program: `import { Docflow } from "docflow"`. */
export {
  Docflow,
  DocflowClosed,
  type DocflowOptions,
  type DocflowRunOptions,
  type DocflowServices,
  layerLocal
} from "./Docflow.ts"
export {
  FlowProblems,
  LocalRuns,
  outputOf,
  type RunOptions,
  type RunRefused,
  type RunResult
} from "./services/local-runs/LocalRuns.ts"
export { UnreadableFlow } from "./services/local-runs/RunFlowFile.ts"
export { StepKind, StepRegistry } from "../dsl/index.ts"
export { steps } from "./steps/All.ts"
/** The errors of the API, one class for each code: what a run is refused with, and what a flow fails with. */
export * as Errors from "./domain/Errors.ts"
/** The ports, and the layers that come with docflow. */
export { Blobs } from "./providers/blobs/Blobs.ts"
export { layer as folderBlobs } from "./providers/blobs/FolderBlobs.ts"
export { layer as s3Blobs } from "./providers/blobs/S3Blobs.ts"
export { LocalDocuments } from "./providers/documents/LocalDocuments.ts"
export { OwnDocuments } from "./providers/documents/OwnDocuments.ts"
export { Llm, type LlmAnswer, LlmFailure, type LlmModel, type LlmRequest } from "./providers/llm/Llm.ts"
export { layerConfig as configuredModels } from "./providers/llm/LlmModels.ts"
export { Ocr, OcrFailure, type OcrImage, OcrUnavailable } from "./providers/ocr/Ocr.ts"
export { layer as ocrEngine } from "./providers/ocr/OcrEngine.ts"
export { Outbound } from "./providers/outbound/Outbound.ts"
