import { Effect } from "effect"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"

const bbox = { x: 0, y: 0, w: 1, h: 1 }

/** A document whose pages have these lines. */
export const documentOf = (...pages: ReadonlyArray<ReadonlyArray<string>>): DocumentIR => ({
  pages: pages.map((lines, index) => ({
    pageNumber: index + 1,
    width: 100,
    height: 100,
    lines: lines.map((text, line) => ({
      lineId: `p${index + 1}_l${line + 1}`,
      text,
      bbox,
      startChar: 0,
      endChar: 1
    }))
  })),
  extras: { pageCount: pages.length }
})

/** The context of a step that runs alone. */
export const context: StepContext = {
  executionId: "e",
  path: "p",
  environment: "live",
  progress: () => Effect.void
}
