import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, with or without work for the processor, longest first. */
const long = [
  "durability/TwoNodes",
  "dashboard/Reviewing",
  "dashboard/Dashboard",
  "dashboard/Managing",
  "operation/FirstStart",
  "security/Fuzz",
  "durability/Restart",
  "sql/Server",
  "durability/Statements",
  "providers/OcrEngine",
  "operation/Telemetry",
  "document/OcrPages",
  "document/Scheduling",
  "sql/EmbeddedDatabase",
  "client/DocflowClient",
  "http/StorageOutages",
  "flows/RunCommand",
  "operation/Tls",
  "services/webhooks/Faults",
  "providers/LlmRandomFaults",
  "document/DocumentReader",
  "document/FirstPages",
  "flows/Commands",
  "steps/kinds-of-steps/Split",
  "steps/pages/RulesThreads",
  "steps/pages/WrittenPages",
  "services/webhooks/Lease",
  "document/AttachmentsHostile",
  "dashboard/Proxy",
  "dsl/JsonSchemas",
  "durability/BigTables",
  "durability/FolderLock",
  "flows/FlowFolder",
  "flows/OwnSteps",
  "guide/WebhookCode",
  "operation/OldExecutions",
  "providers/S3Blobs"
]

const place = ({ moduleId }: TestSpecification): number => {
  const index = long.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return index === -1 ? long.length : index
}

/**
 * Starts the long files first, also in a fresh clone, where no durations are known: otherwise one worker is left with a long
 * file when all others are done.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => place(one) - place(other))
  }
}
