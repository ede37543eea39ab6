import { assert, describe, it } from "@effect/vitest"
import {
  Docflow,
  Errors,
  layerLocal,
  Llm,
  LocalRuns,
  outputOf,
  StepKind,
  StepRegistry,
  steps as kinds
} from "docflow"
import { Flow, toYaml } from "docflow/dsl"
import { Effect, Layer, Schema } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { makeInvoice } from "../fixtures/Invoices.ts"
import { exampleInvoice } from "../fixtures/Invoices.ts"
import { notAPdf } from "../fixtures/Pdfs.ts"

const shout = StepKind.make("shout", {
  description: "Writes a text in capitals.",
  config: Schema.Struct({ text: Schema.String }),
  output: Schema.Struct({ text: Schema.String }),
  errors: {},
  run: ({ text }) => Effect.succeed({ text: text.toUpperCase() })
})

const named = (name: string) => ({ ...shout, name })

const rejection = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => "no rejection",
    (error: unknown) => error
  )

describe("docflow in a program", () => {
  it("runs a flow file on a document and says where each field is", async () => {
    await using docflow = Docflow.open()
    const invoice = await makeInvoice(exampleInvoice)
    const result = await docflow.run("flows/invoice/1.0.0.yaml", invoice.bytes)
    assert.strictEqual(result.status, "completed")
    assert.strictEqual(result.fields.invoiceNumber?.value, invoice.expected.invoiceNumber)
    assert.strictEqual(result.fields.totalAmount?.value, invoice.expected.totalAmount)
    assert.strictEqual(result.fields.totalAmount?.status, "grounded")
    assert.strictEqual(result.fields.totalAmount?.page, 1)
  })

  it("runs a flow by its id, and one that was built in TypeScript with the program's own model", async () => {
    const llm = Layer.succeed(Llm, {
      choose: () =>
        Effect.succeed({
          name: "own:model",
          contextTokens: 8_000,
          seesPictures: false,
          ask: () => Effect.succeed({ value: "said by it", inputTokens: 1, outputTokens: 1 })
        })
    })
    await using docflow = Docflow.open({ llm })
    // Of a document of more than a megabyte, the hash is made on a thread.
    const bytes = Buffer.concat([await readFile("examples/invoice.pdf"), Buffer.alloc(1_100_000, "\n")])
    const hashed = vi.spyOn(crypto.subtle, "digest")
    assert.propertyVal(await docflow.run("text", bytes), "status", "completed")
    assert.lengthOf(hashed.mock.calls, 1)
    hashed.mockRestore()
    const said = Flow.step("said", kinds.generate, { prompt: "Say it." })
    const built = Flow.make({
      id: "built",
      version: "1.0.0",
      name: "Built",
      document: { formats: ["application/pdf"] },
      steps: [said],
      output: { value: { text: said.output.at("text"), model: said.output.at("model") } }
    })
    const { output } = await docflow.run(built, bytes)
    assert.deepStrictEqual(output, { text: "said by it", model: "own:model" })
  })

  it("fails with one class for each code, which a program catches by its tag", async () => {
    const failing = Flow.make({
      id: "failing",
      version: "1.0.0",
      name: "Failing",
      document: { formats: ["application/pdf"] },
      steps: [
        Flow.step("judge", kinds.validate, {
          rules: [{ that: Flow.expression<boolean>("1 > 2"), else: "No." }]
        })
      ],
      output: { value: { never: true } }
    })
    const caught = await Effect.runPromise(
      Effect.gen(function* () {
        const runs = yield* LocalRuns
        const flow = yield* runs.compile(toYaml(failing), "failing.yaml")
        const run = yield* runs.run(flow, yield* Effect.promise(() => readFile("examples/invoice.pdf")))
        return yield* outputOf(run)
      }).pipe(
        Effect.catchTag("VALIDATION_ERROR", ({ message, step }) => Effect.succeed({ message, step })),
        Effect.provide(layerLocal())
      )
    )
    assert.deepStrictEqual(caught, { message: "No.", step: "judge" })
  })

  it("runs twice at once on the same bytes", async () => {
    await using docflow = Docflow.open()
    const bytes = await readFile("examples/invoice.pdf")
    const runs = await Promise.all([1, 2, 3].map(() => docflow.run("flows/text/1.0.0.yaml", bytes)))
    assert.deepStrictEqual(
      runs.flatMap(({ error }) => error ?? []),
      []
    )
  })

  it("uses a step kind of the program's own, by its name in the flow", async () => {
    const folder = await mkdtemp(join(tmpdir(), "docflow-embedding-"))
    const file = join(folder, "1.0.0.yaml")
    await writeFile(
      file,
      `docflow: 1
id: shouting
version: 1.0.0
name: Shouting
document: { formats: [application/pdf] }
steps:
  - id: loud
    uses: shout
    with: { text: "\${{ input.document.mimeType }}" }
output:
  value: { said: "\${{ steps.loud.text }}" }
`
    )
    await using docflow = Docflow.open({ steps: [shout] })
    const result = await docflow.run(file, await readFile("examples/invoice.pdf"))
    assert.deepStrictEqual(result.output, { said: "APPLICATION/PDF" })
    await rm(folder, { recursive: true })
  })

  it("rejects a flow file with problems, naming the line", async () => {
    await using docflow = Docflow.open()
    const failure = await docflow.run("package.json", new Uint8Array()).catch((error: unknown) => error)
    assert.match(String(failure), /package\.json:\d+:\d+/u)
  })

  it("rejects a document that the flow cannot read, with the API's code", async () => {
    await using docflow = Docflow.open()
    const failure = await docflow.run("flows/invoice/1.0.0.yaml", notAPdf()).catch((error: unknown) => error)
    assert.instanceOf(failure, Errors.InvalidDocument)
  })

  it("refuses step kinds with names that docflow or another kind has, or that are invalid", () => {
    assert.throws(() => Docflow.open({ steps: [named("parse")] }), 'The step kind "parse" is built in')
    assert.throws(() => Docflow.open({ steps: [shout, shout] }), 'Duplicate step kind "shout"')
    assert.throws(() => Docflow.open({ steps: [named("Shout")] }), '"Shout" is not a valid name')
    assert.throws(() => layerLocal(StepRegistry.make([named("parse")])), 'The step kind "parse" is built in')
  })

  it("rejects a flow file that cannot be read, saying why", async () => {
    await using docflow = Docflow.open()
    const failure = await rejection(docflow.run("flows/missing.yaml", notAPdf()))
    assert.propertyVal(failure, "_tag", "UnreadableFlow")
    assert.propertyVal(
      failure,
      "message",
      "flows/missing.yaml cannot be read: it does not exist. Check the path"
    )
    assert.match(String(await rejection(docflow.run("invioce", notAPdf()))), /Did you mean "?invoice/u)
  })

  it("rejects a document that is not bytes", async () => {
    await using docflow = Docflow.open()
    // @ts-expect-error: a program in JavaScript has no types that would stop it.
    const failure = await rejection(docflow.run("flows/text/1.0.0.yaml", "%PDF-1.7"))
    assert.instanceOf(failure, Errors.InvalidInput)
    assert.match(String(failure), /as a Uint8Array, .*got string/u)
  })

  it("rejects with the reason of its signal, before a run and during it", async () => {
    await using docflow = Docflow.open()
    const bytes = await readFile("examples/invoice.pdf")
    const steps: Array<string> = []
    const controller = new AbortController()
    const onProgress = (step: string) => {
      steps.push(step)
      controller.abort(new Error("enough"))
    }
    const run = () =>
      docflow.run("flows/invoice/1.0.0.yaml", bytes, { onProgress, signal: controller.signal })
    assert.strictEqual(String(await rejection(run())), "Error: enough")
    assert.deepStrictEqual([...new Set(steps)], ["read"])
    assert.strictEqual(String(await rejection(run())), "Error: enough")
    assert.deepStrictEqual([...new Set(steps)], ["read"])
  })

  it("rejects runs after its end, and those that its end interrupts", async () => {
    const docflow = Docflow.open()
    const bytes = await readFile("examples/invoice.pdf")
    const { promise: hasBegun, resolve: onProgress } = Promise.withResolvers<unknown>()
    const running = rejection(docflow.run("flows/invoice/1.0.0.yaml", bytes, { onProgress }))
    await hasBegun
    await docflow.close()
    assert.propertyVal(await running, "_tag", "DocflowClosed")
    assert.propertyVal(await rejection(docflow.run("flows/text/1.0.0.yaml", bytes)), "_tag", "DocflowClosed")
    await docflow.close()
  })

  it("runs the README's program", async () => {
    const readme = await readFile("README.md", "utf8")
    const program = await readFile("examples/embed.ts", "utf8")
    assert.include(readme, program.trim())
    assert.isAtMost(program.trim().split("\n").length, 10)
  })
})
