import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FlowSource } from "../../../dsl/model/FlowDefinition.ts"
import { at, textAt } from "../../support/Json.ts"
import type { Tenant } from "../../support/TestService.ts"

const step = (id: string, value: string) => ({ id, uses: "transform", with: { value } })

const gate = { type: "object", required: ["gate"], properties: { gate: { type: "string" } } } as const

/**
 * The flow `work`: four steps, the third of which fails while its gate is closed; 2 credits a page. `changes` make the other
 * versions of it.
 */
const work = (version: string, changes: Partial<FlowSource> = {}): FlowSource => ({
  docflow: 1,
  id: "work",
  version,
  name: "Work",
  description: "Four steps.",
  document: { formats: ["application/pdf"], maxFileSizeMB: 20, maxPages: 50 },
  credits: { perPage: 2 },
  variables: gate,
  steps: steps(),
  output: { value: { ones: "${{ steps.one }}", last: "${{ steps.four }}" } },
  ...changes
})

const steps = (changes: { readonly [id: string]: string } = {}): FlowSource["steps"] => [
  step("one", changes["one"] ?? "1"),
  step("two", changes["two"] ?? "2"),
  { id: "three", uses: "hold", with: { gate: "${{ variables.gate }}" }, timeout: "100ms" },
  step("four", changes["four"] ?? "4")
]

const colour = { gate: { type: "string" }, colour: { type: "string", default: "red" } } as const

/** Each version of `work`, by what it changes. */
const versions: ReadonlyArray<FlowSource> = [
  work("1.0.0"),
  work("1.1.0", { steps: steps({ four: "four" }) }),
  work("1.2.0", { steps: steps({ two: "two" }) }),
  work("1.3.0", { output: { value: { only: "${{ steps.four }}" } } }),
  work("1.4.0", { variables: { ...gate, properties: colour } }),
  work("1.5.0", { document: { formats: ["application/pdf"], maxFileSizeMB: 20, maxPages: 1 } }),
  work("1.6.0", { variables: { ...gate, required: ["gate", "customer"] } }),
  work("1.7.0", { requires: { plan: "enterprise" } }),
  // Two megabytes of output.
  work("1.8.0", {
    steps: steps({ four: "x".repeat(100_000) }),
    output: { value: { copies: Array.from({ length: 20 }, () => "${{ steps.four }}") } }
  }),
  // A step that may fail is finished when it has failed.
  work("2.0.0", {
    steps: [
      step("one", "1"),
      { id: "risky", uses: "boom", with: { how: "plainly" }, onError: "continue" },
      { id: "skipped", uses: "transform", if: "${{ false }}", with: { value: "never" } },
      { id: "three", uses: "hold", with: { gate: "${{ variables.gate }}" }, timeout: "100ms" }
    ],
    output: { value: { it: "${{ steps.three.gate }}" } }
  }),
  // A failure that is handled, and a loop that fails at its second element.
  work("2.1.0", {
    steps: [
      { id: "handled", uses: "boom", with: { how: "plainly" }, onError: [step("instead", "i")] },
      {
        id: "each",
        forEach: {
          in: [1, 2, 3],
          steps: [
            { id: "note", uses: "transform", with: { value: "${{ item }}" } },
            {
              id: "wait",
              uses: "hold",
              if: "${{ item == 2 }}",
              with: { gate: "${{ variables.gate }}" },
              timeout: "100ms"
            },
            { id: "last", uses: "transform", with: { value: "${{ steps.note }}" } }
          ]
        }
      }
    ],
    output: { value: { handled: "${{ steps.handled }}", each: "${{ steps.each }}" } }
  })
]

/** Writes the versions of `work` into a new flow folder; its path. */
export const writeReplayFlows = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "docflow-replay-flows-"))
  for (const flow of versions) {
    mkdirSync(join(folder, flow.id), { recursive: true })
    writeFileSync(join(folder, flow.id, `${flow.version}.yaml`), JSON.stringify(flow))
  }
  return folder
}

/** A run of `work`, and the gate of its third step. */
export interface Ran {
  readonly tenant: Tenant
  readonly id: string
  readonly gate: string
}

/** What an answer refuses: its status, its code and the field that it names. */
export const refused = async (answer: Promise<{ readonly status: number; readonly body: unknown }>) => {
  const { body, status } = await answer
  const field = at(body, "error.details.field")
  return `${status} ${textAt(body, "error.code")}${typeof field === "string" ? ` ${field}` : ""}`
}
