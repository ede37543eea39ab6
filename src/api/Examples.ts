import { Execution } from "../domain/Execution.ts"
import type { FlowDetail, FlowItem } from "../domain/FlowItem.ts"

/** Examples for the OpenAPI document; a test decodes each with the schema that it illustrates. */
export const exampleFlowItem: FlowItem = {
  id: "invoice",
  name: "Invoice",
  description: "Reads the fields and the line items of an invoice.",
  version: "1.0.0",
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z"
}

export const exampleFlow: FlowDetail = {
  ...exampleFlowItem,
  versions: ["1.0.0"],
  schema: {
    input: {
      type: "object",
      required: ["document"],
      properties: {
        document: { type: "object", required: ["base64"], properties: { base64: { type: "string" } } }
      }
    },
    output: { type: "object", properties: { invoiceNumber: { type: "string" } } }
  },
  config: {
    supportedFormats: ["application/pdf"],
    maxFileSizeMB: 20,
    maxPages: 50,
    estimatedCreditsPerPage: 1
  }
}

export const exampleExecution: Execution = {
  id: "exec_01KAGZ3W6T9S0M4Y7Q2N5B8CDE",
  flowId: "invoice",
  version: "1.0.0",
  status: "completed",
  createdAt: "2026-11-20T09:00:00.000Z",
  completedAt: "2026-11-20T09:00:00.120Z",
  output: { invoiceNumber: "INV-2041", invoiceDate: "2026-11-02", totalAmount: 1190, currency: "EUR" },
  metrics: { durationMs: 120, pageCount: 1, creditsUsed: 1 },
  metadata: { customer: "42" }
}

export const exampleCancelled: Execution = {
  id: exampleExecution.id,
  flowId: "invoice",
  version: "1.0.0",
  status: "cancelled",
  createdAt: "2026-11-20T09:00:00.000Z",
  cancelledAt: "2026-11-20T09:00:00.080Z",
  metadata: { customer: "42" }
}

export const exampleReplay: Execution = {
  id: "exec_01KAGZ4A8V2X6P0R9S4T7D1FGH",
  flowId: "invoice",
  version: "1.1.0",
  status: "pending",
  createdAt: "2026-11-20T09:05:00.000Z",
  metadata: { customer: "42" },
  replayOf: exampleExecution.id,
  reusedSteps: ["read"]
}

/** An execution, with an example of each way it can end. */
export const ExecutionBody = Execution.annotate({
  examples: [exampleExecution, exampleCancelled, exampleReplay]
})
