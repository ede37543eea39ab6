import { Docflow, Llm, type LlmRequest, steps } from "docflow"
import { Flow } from "docflow/dsl"
import { Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"

/** A model of the program's own: any function from a request to an answer. */
const answer = ({ content }: LlmRequest) =>
  Effect.succeed({
    value: `The model was shown ${content.length} parts.`,
    inputTokens: 0,
    outputTokens: 0
  })

const llm = Layer.succeed(Llm, {
  choose: () =>
    Effect.succeed({ name: "own:counter", contextTokens: 8_000, seesPictures: false, ask: answer })
})

const read = Flow.step("read", steps.parse, { document: Flow.document })
const said = Flow.step("said", steps.generate, {
  document: read.output.at("document"),
  prompt: "Summarize the document."
})
const flow = Flow.make({
  id: "summary",
  version: "1.0.0",
  name: "Summary",
  document: { formats: ["application/pdf"] },
  steps: [read, said],
  output: { value: { text: said.output.at("text") } }
})

await using docflow = Docflow.open({ llm })
const { output } = await docflow.run(flow, await readFile("examples/invoice.pdf"))
console.log(output)
