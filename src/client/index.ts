/** Calling docflow from TypeScript, and receiving its webhooks: `import { … } from "docflow/client"`. */
export type { WebhookEvent } from "../domain/Delivery.ts"
export type { Execution, ExecutionError, ExecutionStatus } from "../domain/Execution.ts"
export type { FlowDetail, FlowItem } from "../domain/FlowItem.ts"
export type { OutputDiff, ReplayRequest } from "../domain/Replay.ts"
export type { RunRequest } from "../domain/RunRequest.ts"
export type { ClientOptions } from "./Call.ts"
export {
  type CallOptions,
  DocflowClient,
  documentOf,
  type FlowPage,
  type WaitOptions
} from "./DocflowClient.ts"
export type { ClientEvent } from "./FollowEvents.ts"
export { ApiFailure, ConnectionFailure, WaitTimeout } from "./ClientFailures.ts"
export { verifyWebhook, type VerifyOptions, type WebhookHeaders } from "./VerifyWebhook.ts"
export { type WebhookMessage, WebhookRefused } from "./WebhookMessage.ts"
