import { Effect, Layer } from "effect"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { Llm, type LlmRequest } from "../../../src/providers/llm/Llm.ts"
import { drawPdf, linesAt } from "../../document/DrawPdf.ts"

export const context: StepContext = {
  executionId: "e",
  path: "fields",
  environment: "test",
  progress: () => Effect.void
}

/** The text that a model is shown. */
export const contentOf = (request: LlmRequest): string =>
  request.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")

/** A model that answers as told, and remembers what it was asked. */
export const modelThat = (answer: (request: LlmRequest) => unknown, contextTokens = 8000) => {
  const asked: Array<LlmRequest> = []
  const model = {
    name: "synthetic:one",
    contextTokens,
    seesPictures: false,
    ask: (request: LlmRequest) =>
      Effect.sync(() => {
        asked.push(request)
        return { value: answer(request), inputTokens: 100, outputTokens: 10 }
      })
  }
  return { asked, layer: Layer.succeed(Llm, { choose: () => Effect.succeed(model) }) }
}

/** What a model says about a field. */
export const said = (value: unknown, quote: string | null = null, page: number | null = null) => ({
  value,
  quote,
  page
})

/** A PDF with some lines on each page, read. */
export const documentOf = Effect.fnUntraced(function* (...pages: ReadonlyArray<ReadonlyArray<string>>) {
  const reader = yield* DocumentReader
  const bytes = yield* Effect.promise(() =>
    drawPdf(pages.map((lines) => ({ texts: linesAt(60, 80, lines) })))
  )
  return yield* reader.read(bytes, { mimeType: "application/pdf" })
})
