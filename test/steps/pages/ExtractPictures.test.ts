import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { PDFDocument } from "pdf-lib"
import sharp from "sharp"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import type { DocumentRef } from "../../../src/domain/Document.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { extract, type ExtractConfig } from "../../../src/steps/Extract.ts"
import { drawPdf, linesAt } from "../../document/DrawPdf.ts"
import { picturePdf, scanPage } from "../../document/Scans.ts"
import { llmOf, modelServer, type Answering, type Protocol } from "../../support/ModelServer.ts"
import { until } from "../../support/Until.ts"
import { context, said } from "../model/SyntheticModel.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const size = { width: 595, height: 842 }
const written = drawPdf([{ texts: linesAt(60, 80, ["Policy ABC-1234", "Excess 80,00 EUR"]), ...size }])
const scanned = drawPdf([{ texts: linesAt(60, 80, ["Price 80,00 EUR"]), ...size }]).then((pdf) =>
  scanPage(pdf)
)

/** A PDF of pages with text (`t`), scanned ones (`s`) and blank ones (`b`): kept, and read without recognition. */
const documentOf = Effect.fnUntraced(function* (kinds: string) {
  const bytes = yield* Effect.promise(async () => {
    const whole = await PDFDocument.create()
    const text = await PDFDocument.load(await written)
    const scan = await PDFDocument.load(await picturePdf([await scanned]))
    for (const kind of kinds) {
      if (kind === "b") whole.addPage([size.width, size.height])
      else for (const page of await whole.copyPages(kind === "t" ? text : scan, [0])) whole.addPage(page)
    }
    return whole.save()
  })
  const documents = yield* LocalDocuments
  const mimeType = "application/pdf"
  const pictures: DocumentRef = {
    blob: yield* documents.keep("e", bytes),
    mimeType,
    size: bytes.length,
    pageCount: kinds.length
  }
  const reader = yield* DocumentReader
  return { document: yield* reader.read(bytes, { mimeType }), pictures }
})

const fields = { policy: { type: "identifier" }, price: { type: "money" } } as const
const answer = { policy: said("ABC-1234", "Policy ABC-1234", 1), price: said(80, "Price 80,00 EUR", 2) }

/** What a model says that reads in the picture of page 1 what its text does not say. */
const unprinted = () => ({ policy: said("XY-77", "XY-77", 1), price: said(null) })

/** The step run with a server's model that sees, and what that was asked. */
const run = Effect.fnUntraced(function* (
  config: Omit<typeof ExtractConfig.Type, "using" | "fields"> & Partial<typeof ExtractConfig.Type>,
  own: {
    readonly protocol?: Protocol
    readonly sees?: boolean
    readonly contextTokens?: number
    readonly answer?: Answering
  } = {}
) {
  const server = yield* modelServer(own.answer ?? (() => answer))
  const model = llmOf(server, own.protocol ?? "openai", {
    pictures: Option.some(own.sees ?? true),
    contextTokens: Option.some(own.contextTokens ?? 100_000)
  })
  const output = yield* extract
    .run({ using: ["llm"], fields, ...config }, { ...context, environment: "live" })
    .pipe(Effect.provide(model))
  return { output, asked: server.asked, pictures: server.asked.map(({ images }) => images.length) }
}, Effect.scoped)

const reading = sharedReader
const unasked = "The model was not asked about what could not be read: page 2."

layer(Layer.merge(reading, LocalDocuments.layer), { excludeTestServices: true })(
  "pictures of pages",
  (it) => {
    it.effect.each<Protocol>(["ollama", "openai", "anthropic"])(
      "go to %s for a page that could not be read, and for no other",
      (protocol) =>
        Effect.gen(function* () {
          const { asked, output } = yield* run(yield* documentOf("ts"), { protocol })
          assert.strictEqual(asked.length, 1)
          const [image, ...others] = asked[0]?.images ?? []
          assert.strictEqual(others.length, 0)
          const { format, width, height } = yield* Effect.promise(() => sharp(image).metadata())
          assert.deepStrictEqual({ format, height }, { format: "jpeg", height: 1568 })
          assert.closeTo(width, (1568 * 595) / 842, 2)
          assert.match(asked[0]?.text ?? "", /Page 1:\n> Policy ABC-1234[^]*\nPage 2: picture 1\.\n/u)
          assert.include(asked[0]?.instructions ?? "", "Some pages come as pictures")
          assert.deepStrictEqual(output.warnings, [])
          assert.deepInclude(output.fields["policy"], { status: "grounded", page: 1 })
          // The amount is on page 1 as well, as another one: what was read in a picture is looked for nowhere.
          assert.deepStrictEqual(output.fields["price"], {
            value: 80,
            confidence: 0.3,
            status: "inferred",
            page: 2,
            by: "llm"
          })
        })
    )

    it.effect(
      "are not sent where the step does not want them, or the model sees none: a warning says so",
      () =>
        Effect.gen(function* () {
          const { document, pictures } = yield* documentOf("ts")
          const unwanted = yield* run({ document })
          const blind = yield* run({ document, pictures }, { sees: false })
          for (const { asked, output, pictures } of [unwanted, blind]) {
            assert.deepStrictEqual(pictures, [0])
            assert.deepStrictEqual(output.warnings, [unasked])
            assert.notInclude(asked[0]?.instructions ?? "", "picture")
          }
        })
    )

    it.effect("go along with the text of every page where all are wanted", () =>
      Effect.gen(function* () {
        const { asked, output, pictures } = yield* run({ ...(yield* documentOf("ts")), picturesOf: "all" })
        assert.deepStrictEqual(pictures, [2])
        assert.match(
          asked[0]?.text ?? "",
          /> Excess 80,00 EUR\n\nPage 1: picture 1\.\n[^]*Page 2: picture 2\./u
        )
        assert.deepInclude(output.fields["policy"], { status: "grounded", page: 1 })
        const seen = yield* run({ ...(yield* documentOf("ts")), picturesOf: "all" }, { answer: unprinted })
        assert.deepInclude(seen.output.fields["policy"], { status: "inferred", page: 1 })
        assert.notProperty(seen.output.fields["policy"], "bbox")
      })
    )

    it.effect(
      "come first for scanned pages, and values read in them are located in the recognized text",
      () =>
        Effect.gen(function* () {
          const { document, pictures } = yield* documentOf("tt")
          const pages = document.pages.map((page) =>
            page.pageNumber === 2 ? { ...page, source: "ocr" as const } : page
          )
          const read = {
            policy: said("ABC-1234", "Policy ABC-1234", 2),
            price: said(81, "Excess 81,00 EUR", 2)
          }
          const { asked, output } = yield* run(
            { document: { ...document, pages }, pictures, picturesOf: "scanned" },
            { answer: () => read }
          )
          assert.match(
            asked[0]?.text ?? "",
            /^Page 1:\n> Policy[^]*Page 2:\n> Policy[^]*\nPage 2: picture 1\.\n/u
          )
          assert.include(asked[0]?.instructions ?? "", "was recognized in that picture, and may be wrong")
          assert.deepInclude(output.fields["policy"], { status: "grounded", page: 2, text: "ABC-1234" })
          assert.property(output.fields["policy"], "bbox")
          // The recognized text says something else.
          assert.deepInclude(output.fields["price"], { value: 81, status: "inferred", page: 2 })
          const all = yield* run({ document, pictures, picturesOf: "scanned" })
          assert.deepStrictEqual(all.pictures, [0])
        })
    )

    it.effect("leave out blank pages, and show one on which recognition found nothing", () =>
      Effect.gen(function* () {
        const { document, pictures } = yield* documentOf("bs")
        const found = { pageNumber: 2, ...size, lines: [], source: "ocr" as const }
        const pages = document.pages.map((page) => (page.pageNumber === 2 ? found : page))
        const { asked } = yield* run({ document: { ...document, pages }, pictures })
        assert.deepStrictEqual(
          asked.map(({ text }) => text.trim()),
          ["Page 2: picture 1."]
        )
      })
    )

    it.effect("are at most eight in a request, and as many as the context has room for", () =>
      Effect.gen(function* () {
        const long = yield* documentOf("s".repeat(10))
        const priced = { price: said(80, "Price 80,00 EUR", 9), policy: said(null) }
        const answering: Answering = ({ text }) =>
          text.includes("Page 9:") ? priced : { ...priced, price: said(null) }
        const wide = yield* run(long, { answer: answering })
        assert.deepStrictEqual(wide.pictures.toSorted(), [2, 8])
        assert.deepInclude(wide.output.fields["price"], { value: 80, status: "inferred", page: 9 })
        const narrow = yield* run(long, { contextTokens: 8000, answer: answering })
        assert.deepStrictEqual(narrow.pictures, [2, 2, 2, 2, 2])
        assert.isAbove(narrow.output.tokensUsed, 0)
      })
    )

    it.effect("are missed with a warning where the context has no room for one", () =>
      Effect.gen(function* () {
        const { output, pictures } = yield* run(yield* documentOf("ts"), { contextTokens: 3000 })
        assert.deepStrictEqual(pictures, [0])
        assert.deepStrictEqual(output.warnings, [
          unasked,
          "The model was shown no picture of page 2: The model's context is too short for a picture."
        ])
      })
    )

    it.effect("that cannot be made are named, and nothing is asked where there is nothing else", () =>
      Effect.gen(function* () {
        const { document, pictures } = yield* documentOf("s")
        const lost = document.pages.map((page) => ({ ...page, pageNumber: 7 }))
        const { asked, output } = yield* run({ document: { ...document, pages: lost }, pictures })
        assert.strictEqual(asked.length, 0)
        assert.strictEqual(output.model, null)
        assert.include(
          output.warnings,
          "The model was shown no picture of page 7: The page is missing or damaged."
        )
      })
    )

    it.effect("give the rows of a table, also two that are alike, on the page that the model names", () =>
      Effect.gen(function* () {
        const row = { page: 1, cells: { what: "Coffee", amount: 80 } }
        const { output } = yield* run(
          {
            ...(yield* documentOf("s")),
            fields: { items: { type: "table", columns: { what: "string", amount: "money" } } }
          },
          { answer: () => ({ items: [row, row] }) }
        )
        assert.deepStrictEqual(output.values, { items: [row.cells, row.cells] })
        assert.deepInclude(output.fields["items"], { status: "inferred", page: 1 })
        assert.notProperty(output.fields["items"], "bbox")
      })
    )

    it.effect("are not waited for when the step is interrupted, and the reader goes on to others", () =>
      Effect.gen(function* () {
        const long = yield* documentOf("s".repeat(40))
        const reader = yield* DocumentReader
        let drawn = 0
        const counting = DocumentReader.of({
          ...reader,
          pictures: (bytes, mimeType) =>
            Effect.map(
              reader.pictures(bytes, mimeType),
              (draw) => (page) => Effect.tap(draw(page), () => Effect.sync(() => drawn++))
            )
        })
        const job = yield* Effect.forkChild(run(long).pipe(Effect.provideService(DocumentReader, counting)))
        yield* Effect.promise(() => until("pictures", async () => (drawn > 1 ? true : undefined)))
        const before = drawn
        yield* Fiber.interrupt(job)
        const others = yield* run(yield* documentOf("tsss"))
        assert.deepStrictEqual(others.pictures, [3])
        assert.isAtMost(drawn, before + 1)
      })
    )

    it.effect("fail the step where the file is not kept any more", () =>
      Effect.gen(function* () {
        const { document, pictures } = yield* documentOf("s")
        const gone = { ...pictures, blob: "00" }
        const error = yield* Effect.flip(run({ document, pictures: gone }))
        assert.strictEqual(error._tag, "DocumentUnavailable")
      })
    )
  }
)
