/** The client of docflow for browsers and Node.js: `import { … } from "docflow/client"`. */
export type { CallOptions, ClientOptions } from "./Call.ts"
export { ApiFailure, ConnectionFailure, WaitTimeout } from "./ClientFailures.ts"
export type {
  Backtest,
  ClientEvent,
  Corrections,
  DocumentInput,
  Execution,
  ExecutionError,
  ExecutionStatus,
  FlowDetail,
  FlowItem,
  ExecutionFilter,
  ExecutionPage,
  ExportedCase,
  FlowPage,
  Metrics,
  OutputDiff,
  Place,
  ReplayRequest,
  RunRequest,
  SaveCorrections
} from "./ClientTypes.ts"
export { DocflowClient, documentOf, type WaitOptions } from "./DocflowClient.ts"
export { type RateState, type ResponseInfo, responseOf } from "./ResponseInfo.ts"
