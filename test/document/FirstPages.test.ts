import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { makeFirstPages } from "../../src/document/process/ReadTexts.ts"
import { makeReaderPool, type ReaderPool } from "../../src/document/process/ReaderPool.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { cii, eInvoiceOf, withFiles } from "../fixtures/EInvoices.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"
import { sharedReader } from "../support/SharedReader.ts"
import { drawPdf, linesAt } from "./DrawPdf.ts"
import { countingPdf, joinPdfs, memoryBomb } from "./HostilePdfs.ts"

const limits = { most: 2, keptFor: "1 minute", pageLimit: 20_000 } as const

const firstPages = (change: (pool: ReaderPool) => ReaderPool = (pool) => pool, changed = {}) =>
  Effect.flatMap(
    makeReaderPool({ processes: 2, memoryMiB: 512, maxPages: 10, pageLimit: limits.pageLimit }),
    (pool) => makeFirstPages(change(pool), { ...limits, ...changed })
  )

const sourceOf = (bytes: Uint8Array) => ({ bytes, mimeType: "application/pdf" })
const pdfSaying = (text: string) => Effect.promise(() => drawPdf([{ texts: linesAt(72, 100, [text]) }]))
const firstLine = (read: Effect.Success<ReturnType<Effect.Success<ReturnType<typeof firstPages>>["take"]>>) =>
  read?.first.page.lines[0]?.text

const inSandbox = Effect.provide([Sandbox.layer, NodeServices.layer])

describe("the first page of a document", () => {
  it.live("is read once it is open, and given to whoever reads the same bytes", () =>
    Effect.gen(function* () {
      const pages = yield* firstPages()
      const [one, other] = [yield* pdfSaying("one"), yield* pdfSaying("other")]
      assert.strictEqual((yield* pages.open(sourceOf(one), true)).pageCount, 1)
      yield* pages.open(sourceOf(other), true)
      assert.strictEqual(firstLine(yield* pages.take(one)), "one")
      assert.strictEqual(firstLine(yield* pages.take(other)), "other")
      assert.isUndefined(yield* pages.take(one.slice()))
    }).pipe(Effect.scoped, inSandbox)
  )

  it.live("is kept for a limited number of documents", () =>
    Effect.gen(function* () {
      const pages = yield* firstPages()
      const all = [yield* pdfSaying("one"), yield* pdfSaying("two"), yield* pdfSaying("three")]
      yield* Effect.forEach(all, (bytes) => pages.open(sourceOf(bytes), true))
      const lines = yield* Effect.forEach(all, (bytes) => Effect.map(pages.take(bytes), firstLine))
      assert.deepStrictEqual(lines, ["one", "two", undefined])
    }).pipe(Effect.scoped, inSandbox)
  )

  it.live("is not kept for long if nobody reads the document", () =>
    Effect.gen(function* () {
      const pages = yield* firstPages(undefined, { keptFor: "100 millis" })
      const bytes = yield* pdfSaying("one")
      yield* pages.open(sourceOf(bytes), true)
      yield* Effect.sleep("3 seconds")
      assert.isUndefined(yield* pages.take(bytes))
    }).pipe(Effect.scoped, inSandbox)
  )

  it.live("is read ahead also while a few documents wait for a reader, and needs no reader later", () =>
    Effect.gen(function* () {
      const used: Array<Uint8Array> = []
      const pages = yield* firstPages((pool) => ({
        ...pool,
        waiting: () => 3,
        use: (source, job, first) => {
          used.push(source.bytes)
          return pool.use(source, job, first)
        }
      }))
      const bytes = yield* pdfSaying("one")
      assert.strictEqual((yield* pages.open(sourceOf(bytes), true)).pageCount, 1)
      const ahead = yield* pages.take(bytes)
      assert.strictEqual(firstLine(ahead), "one")
      assert.strictEqual(ahead?.opened.pageCount, 1)
      assert.deepStrictEqual(ahead && (yield* ahead.attached), {})
      assert.deepStrictEqual(used, [bytes])
    }).pipe(Effect.scoped, inSandbox)
  )

  it.live("of a run that may be refused is left for later while another document waits", () =>
    Effect.gen(function* () {
      const busy = yield* firstPages((pool) => ({ ...pool, waiting: () => 1 }))
      const bytes = yield* pdfSaying("one")
      yield* busy.open(sourceOf(bytes), false)
      assert.isUndefined(yield* busy.take(bytes))
      const idle = yield* firstPages()
      yield* idle.open(sourceOf(bytes), false)
      assert.strictEqual(firstLine(yield* idle.take(bytes)), "one")
    }).pipe(Effect.scoped, inSandbox)
  )

  it.live("is left for later while many documents wait for a reader", () =>
    Effect.gen(function* () {
      const pages = yield* firstPages((pool) => ({ ...pool, waiting: () => 40 }))
      const bytes = yield* pdfSaying("one")
      assert.strictEqual((yield* pages.open(sourceOf(bytes), true)).pageCount, 1)
      assert.isUndefined(yield* pages.take(bytes))
    }).pipe(Effect.scoped, inSandbox)
  )

  it.live("that crashes its reader is left to the reading, which reports it", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const bytes = yield* Effect.promise(() => joinPdfs([memoryBomb(200 * 1024 * 1024), countingPdf(1)]))
      assert.strictEqual((yield* reader.inspect(bytes, {}, "sure")).pageCount, 2)
      const { pages } = yield* reader.read(bytes, { mimeType: "application/pdf" })
      assert.deepStrictEqual(
        pages.map(({ lines, problem }) => problem ?? lines[0]?.text),
        ["The page cannot be read: it crashed its reader, or needs too much memory.", "one page"]
      )
    }).pipe(
      Effect.provide(
        DocumentReader.layerWith({ processes: 1, memoryMiB: 150 }).pipe(Layer.provide(Ocr.layerOff))
      )
    )
  )

  it.live("comes with the files inside a document of one page, and the reading finds the same", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* Effect.promise(() => makeInvoice(exampleInvoice))
      const files = [{ name: "factur-x.xml", content: cii(eInvoiceOf(expected)) }]
      const pdf = yield* Effect.promise(() => withFiles(bytes, files))
      const pages = yield* firstPages()
      yield* pages.open(sourceOf(pdf), true)
      const ahead = yield* pages.take(pdf)
      const attached = ahead && (yield* ahead.attached)
      assert.strictEqual(attached?.invoice?.attachment, "factur-x.xml")

      const reader = yield* DocumentReader
      yield* reader.inspect(pdf, {}, "sure")
      const read = (own: Uint8Array) => reader.read(own, { mimeType: "application/pdf" })
      const { extras } = yield* read(pdf)
      assert.deepStrictEqual(extras.attachments, attached?.attachments)
      assert.deepStrictEqual(extras, (yield* read(pdf.slice())).extras)
    }).pipe(Effect.scoped, inSandbox, Effect.provide(sharedReader))
  )

  it.live("of something that cannot be opened is no page: opening fails as usual", () =>
    Effect.gen(function* () {
      const pages = yield* firstPages()
      const bytes = new TextEncoder().encode("%PDF-1.7 and no more")
      assert.strictEqual((yield* Effect.flip(pages.open(sourceOf(bytes), true)))._tag, "UnreadableDocument")
      assert.isUndefined(yield* pages.take(bytes))
    }).pipe(Effect.scoped, inSandbox)
  )
})
