import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, with or without work for the processor, longest first. */
const long = [
  "document/OcrPages",
  "dashboard/Managing",
  "dashboard/Reviewing",
  "security/Fuzz",
  "operation/Tls",
  "flows/Commands",
  "document/Scheduling",
  "providers/OcrEngine",
  "steps/pages/ExtractPictures",
  "steps/pages/WrittenPages",
  "flows/RunCommand",
  "durability/Restart",
  "dashboard/Dashboard",
  "flows/TestCommand",
  "document/AttachmentsHostile",
  "durability/TwoNodes",
  "durability/FolderLock",
  "steps/kinds-of-steps/Split",
  "services/webhooks/Faults"
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
