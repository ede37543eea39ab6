import { copyFile, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { FlowSource } from "../../dsl/model/FlowDefinition.ts"

const flow = (id: string, rest: Partial<FlowSource> & Pick<FlowSource, "steps" | "output">): FlowSource => ({
  docflow: 1,
  id,
  version: "1.0.0",
  name: `Test flow ${id}`,
  description: `The tests' flow ${id}.`,
  document: { formats: ["application/pdf"], maxFileSizeMB: 20, maxPages: 50 },
  credits: { perPage: 1 },
  ...rest
})

const gateVariable = {
  type: "object",
  required: ["gate"],
  properties: { gate: { type: "string" } }
}

const greeting = (version: string): FlowSource =>
  flow("greet", {
    version,
    steps: [{ id: "say", uses: "transform", with: { value: `hello from ${version}` } }],
    output: { value: { said: "${{ steps.say }}" } }
  })

const learner = (version: string, label: string, ...more: FlowSource["steps"]): FlowSource =>
  flow("learner", {
    version,
    steps: [
      { id: "read", uses: "parse", with: { document: "${{ input.document }}", ocr: "off" } },
      {
        id: "fields",
        uses: "extract",
        with: {
          document: "${{ steps.read.document }}",
          using: ["examples", "rules"],
          fields: {
            caseCode: { type: "string", labels: [label] },
            due: { type: "money", labels: ["Qzy"] },
            day: { type: "date", labels: ["Qzz"] }
          }
        }
      },
      ...more
    ],
    output: { value: "${{ steps.fields.values }}" }
  })

const failing = (id: string, how: string): FlowSource =>
  flow(id, {
    steps: [
      { id: "first", uses: "transform", with: { value: "done" } },
      { id: "explode", uses: "boom", with: { how } }
    ],
    output: { value: { never: "reached" } }
  })

/** The flows of the tests. A gate's name is the run's variable `gate`. */
export const testFlows: ReadonlyArray<FlowSource> = [
  greeting("1.0.0"),
  greeting("1.2.0"),
  greeting("1.10.0"),
  greeting("2.0.0-beta.1"),
  flow("hold", {
    variables: gateVariable,
    steps: [{ id: "wait", uses: "hold", with: { gate: "${{ variables.gate }}" } }],
    output: { value: { passed: "${{ steps.wait.gate }}" } }
  }),
  // Four steps, the third of which waits: half of it is done then.
  flow("half", {
    variables: gateVariable,
    credits: { perPage: 2 },
    steps: [
      { id: "one", uses: "transform", with: { value: 1 } },
      { id: "two", uses: "transform", with: { value: 2 } },
      { id: "three", uses: "hold", with: { gate: "${{ variables.gate }}", done: 0 } },
      { id: "four", uses: "transform", with: { value: 4 } }
    ],
    output: { value: { last: "${{ steps.four }}" } }
  }),
  // Two steps, the second of which holds after the first of its own.
  flow("half-inside", {
    variables: gateVariable,
    credits: { perPage: 2 },
    steps: [
      { id: "one", uses: "transform", with: { value: 1 } },
      {
        id: "both",
        steps: [
          { id: "first", uses: "transform", with: { value: 2 } },
          { id: "second", uses: "hold", with: { gate: "${{ variables.gate }}", done: 0 } }
        ]
      }
    ],
    output: { value: { one: "${{ steps.one }}" } }
  }),
  // Reads the document only once the gate is open.
  flow("hold-parse", {
    variables: gateVariable,
    steps: [
      { id: "wait", uses: "hold", with: { gate: "${{ variables.gate }}" } },
      { id: "read", uses: "parse", with: { document: "${{ input.document }}" } }
    ],
    output: { value: { pages: "${{ steps.read.pageCount }}" } }
  }),
  // The rules of its 1.0.0 find no field of the documents that tests teach it with.
  learner("0.8.0", "Qzx", { id: "explode", uses: "boom", with: { how: "plainly" } }),
  learner("0.9.0", "Handling reference"),
  learner("1.0.0", "Qzx"),
  // Reads the first file of a mail.
  flow("opener", {
    document: { formats: ["message/rfc822"], maxFileSizeMB: 20, maxPages: 50 },
    steps: [
      { id: "read", uses: "parse", with: { document: "${{ input.document }}", ocr: "off" } },
      {
        id: "open",
        uses: "parse",
        with: { document: "${{ coalesce(steps.read.attachments[0].document, input.document) }}", ocr: "off" }
      },
      {
        id: "fields",
        uses: "extract",
        with: {
          document: "${{ steps.open.document }}",
          using: ["rules"],
          fields: { total: { preset: "invoice.totalAmount" } }
        }
      }
    ],
    output: { value: "${{ steps.fields.values }}" }
  }),
  failing("boom", "plainly"),
  failing("boom-provider", "provider"),
  failing("boom-document", "document"),
  failing("boom-defect", "defect"),
  flow("slow-step", {
    steps: [{ id: "stuck", uses: "hold", with: { gate: "never" }, timeout: "50ms" }],
    output: { value: {} }
  }),
  flow("slow-flow", {
    timeout: "50ms",
    steps: [{ id: "stuck", uses: "hold", with: { gate: "never" } }],
    output: { value: {} }
  }),
  flow("strict", {
    steps: [
      {
        id: "judge",
        uses: "validate",
        with: { rules: [{ that: "${{ input.document.pageCount > 100 }}", else: "It is too thin." }] }
      }
    ],
    output: { value: {} }
  }),
  flow("pro-only", {
    requires: { plan: "pro" },
    steps: [{ id: "say", uses: "transform", with: { value: "paid" } }],
    output: { value: { said: "paid" } }
  }),
  flow("expensive", {
    credits: { perPage: 7.5, base: 5 },
    steps: [{ id: "say", uses: "transform", with: { value: "dear" } }],
    output: { value: { said: "dear" } }
  }),
  flow("picky", {
    document: { formats: ["application/pdf"], maxFileSizeMB: 0.05, maxPages: 2 },
    variables: {
      type: "object",
      required: ["customer"],
      additionalProperties: false,
      properties: {
        customer: { type: "string", minLength: 2 },
        copies: { type: "integer", minimum: 1, default: 1 }
      }
    },
    steps: [
      {
        id: "say",
        uses: "transform",
        with: { value: { customer: "${{ variables.customer }}", copies: "${{ variables.copies }}" } }
      }
    ],
    output: { value: "${{ steps.say }}" }
  })
]

/** Writes the flows of the tests and the flow `invoice` as files of a flow folder. */
export const writeFlows = async (folder: string): Promise<void> => {
  for (const definition of testFlows) {
    await mkdir(join(folder, definition.id), { recursive: true })
    // JSON is YAML.
    await writeFile(
      join(folder, definition.id, `${definition.version}.yaml`),
      JSON.stringify(definition, null, 2)
    )
  }
  await mkdir(join(folder, "invoice"), { recursive: true })
  await copyFile("flows/invoice/1.0.0.yaml", join(folder, "invoice/1.0.0.yaml"))
}
