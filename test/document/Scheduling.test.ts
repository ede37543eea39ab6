import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Ocr, OcrFailure, type OcrImage, OcrUnavailable } from "../../src/providers/ocr/Ocr.ts"
import { drawPdf, linesAt } from "./DrawPdf.ts"
import { countingPdf, joinPdfs, memoryBomb } from "./HostilePdfs.ts"
import { picturePdf, scanPage } from "./Scans.ts"

const pdf = { mimeType: "application/pdf" }

const drawn = new Map<number, Promise<Uint8Array>>()

/** The picture of a page, so many pixels wide. The scans of these tests are made of the same ones. */
const pageOf = (pixels: number): Promise<Uint8Array> => {
  const before = drawn.get(pixels)
  if (before !== undefined) return before
  const page = drawPdf([{ texts: linesAt(40, 60, ["Ink"]), width: pixels * 0.36, height: 400 }]).then((pdf) =>
    scanPage(pdf)
  )
  drawn.set(pixels, page)
  return page
}

/** A scan of a number of pages; each picture is as many pixels wide as its page's number says: 1,010, 1,020, … */
const scanOf = (count: number, from = 1010) =>
  Effect.promise(async () =>
    picturePdf(await Promise.all(Array.from({ length: count }, (_, i) => pageOf(from + 10 * i))))
  )

const textOf = (text: string) => Effect.promise(() => drawPdf([{ texts: linesAt(72, 100, [text]) }]))

const says = (text: string) => ({
  words: [{ text, bbox: { x: 10, y: 10, w: 100, h: 20 }, confidence: 0.9 }]
})

/** Recognises as a test says; two at a time. */
const reading = (
  recognize: (image: OcrImage) => Effect.Effect<ReturnType<typeof says>, OcrFailure | OcrUnavailable>,
  options: Parameters<typeof DocumentReader.layerWith>[0] = {}
) =>
  Effect.provide(
    DocumentReader.layerWith({ processes: 1, ...options }).pipe(
      Layer.provide(Layer.succeed(Ocr, { enabled: true, atOnce: 2, recognize }))
    )
  )

/** The first pages of a scan take longest. */
const slowerAtFirst = ({ width }: OcrImage) =>
  Effect.as(Effect.sleep(Math.max(1, 400 - 8 * (width - 1010))), says(`wide${width}`))

const isSecond = ({ width }: OcrImage) => width === 1020

describe("documents read at the same time", () => {
  it.live("answer at once for an invoice, while two long scans wait for recognition", () => {
    const gate = Deferred.makeUnsafe<void>()
    const both = Deferred.makeUnsafe<void>()
    let [running, most, seen] = [0, 0, 0]
    const recognize = () =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          seen++
          most = Math.max(most, ++running)
          if (running === 2) Deferred.doneUnsafe(both, Effect.void)
        }),
        () => Effect.as(Deferred.await(gate), says("scanned")),
        () => Effect.sync(() => running--)
      )
    return Effect.gen(function* () {
      const documents = yield* DocumentReader
      const scan = yield* scanOf(8)
      const long = yield* Effect.forEach([scan, scan], (bytes) =>
        Effect.forkChild(documents.read(bytes, pdf))
      )
      yield* Deferred.await(both)
      // Nothing is recognised before the gate opens: the invoice is read all the same.
      const invoice = yield* documents.read(yield* textOf("Invoice 4711"), pdf)
      assert.strictEqual(invoice.pages[0]?.lines[0]?.text, "Invoice 4711")
      assert.strictEqual(seen, 2)
      yield* Deferred.succeed(gate, undefined)
      for (const document of yield* Fiber.joinAll(long)) {
        assert.deepStrictEqual(
          document.pages.map((page) => page.lines[0]?.text),
          Array.from({ length: 8 }, () => "scanned")
        )
      }
      assert.strictEqual(most, 2)
    }).pipe(reading(recognize))
  })

  it.live("recognise a single page before the rest of a long scan", () => {
    const gate = Deferred.makeUnsafe<void>()
    const both = Deferred.makeUnsafe<void>()
    const order: Array<number> = []
    const recognize = ({ width }: OcrImage) =>
      Effect.gen(function* () {
        order.push(width)
        if (order.length === 2) Deferred.doneUnsafe(both, Effect.void)
        yield* Deferred.await(gate)
        return says("scanned")
      })
    return Effect.gen(function* () {
      const documents = yield* DocumentReader
      const scan = yield* scanOf(8)
      const single = yield* scanOf(1, 2000)
      const long = yield* Effect.forkChild(documents.read(scan, pdf))
      yield* Deferred.await(both)
      // There is one reader: when it has read a text document, what came before has been read, too, and waits for recognition.
      const readText = Effect.flatMap(textOf("Invoice 4711"), (bytes) => documents.read(bytes, pdf))
      yield* readText
      const short = yield* Effect.forkChild(documents.read(single, pdf))
      yield* Effect.yieldNow
      yield* readText
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(short)
      yield* Fiber.join(long)
      // It comes right after the two that had places already.
      assert.strictEqual(order.indexOf(2000), 2)
      assert.strictEqual(order.length, 9)
    }).pipe(reading(recognize))
  })

  it.live("give pages in their order, whichever is recognised first, and tell of each", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const told: Array<string> = []
      const onPage = (done: number, total: number) => Effect.sync(() => void told.push(`${done}/${total}`))
      const document = yield* documents.read(yield* scanOf(5), { ...pdf, onPage })
      assert.deepStrictEqual(
        document.pages.map((page) => [page.pageNumber, page.lines[0]?.text]),
        [1, 2, 3, 4, 5].map((number) => [number, `wide${1000 + 10 * number}`])
      )
      assert.deepStrictEqual(told, ["1/5", "2/5", "3/5", "4/5", "5/5"])
    }).pipe(reading(slowerAtFirst))
  )
})

describe("a page that cannot be recognised", () => {
  it.live("is listed with its problem, and the others are read", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const { pages } = yield* documents.read(yield* scanOf(3), pdf)
      assert.deepStrictEqual(
        pages.map((page) => [page.source, page.problem ?? page.lines[0]?.text]),
        [
          ["ocr", "read"],
          ["none", "It crashed."],
          ["ocr", "read"]
        ]
      )
      assert.isAbove(pages[1]?.width ?? 0, 0)
    }).pipe(
      reading((image) =>
        isSecond(image)
          ? Effect.fail(new OcrFailure({ message: "It crashed." }))
          : Effect.succeed(says("read"))
      )
    )
  )

  it.live("is given up after its time", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const { pages } = yield* documents.read(yield* scanOf(3), pdf)
      assert.deepStrictEqual(
        pages.map((page) => page.problem),
        [undefined, "Recognition of the page took longer than 0.2 s.", undefined]
      )
    }).pipe(
      reading((image) => (isSecond(image) ? Effect.never : Effect.succeed(says("read"))), {
        ocrPageLimit: 200
      })
    )
  )

  it.live("ends the reading where nothing can be recognised at all", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const error = yield* Effect.flip(documents.read(yield* scanOf(2), pdf))
      assert.strictEqual(error._tag, "OcrUnavailable")
    }).pipe(reading(() => Effect.fail(new OcrUnavailable({ message: "No engine." }))))
  )
})

/** Unfolds to more than a reader of 150 MiB has. */
const bomb = memoryBomb(200 * 1024 * 1024)
const small = { memoryMiB: 150 }

describe("a page that costs its reader", () => {
  it.live("is listed with its problem; the pages before and after it are read", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const bytes = yield* Effect.promise(() => joinPdfs([countingPdf(1), bomb, countingPdf(1)]))
      const { pages } = yield* documents.read(bytes, pdf)
      assert.deepStrictEqual(
        pages.map((page) => page.problem ?? page.lines[0]?.text),
        ["one page", "The page cannot be read: it crashed its reader, or needs too much memory.", "one page"]
      )
    }).pipe(reading(() => Effect.succeed(says("")), small))
  )

  it.live("ends the reading the second time", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const bytes = yield* Effect.promise(() => joinPdfs([countingPdf(1), bomb, bomb]))
      const error = yield* Effect.flip(documents.read(bytes, pdf))
      assert.strictEqual(error._tag, "UnreadableDocument")
    }).pipe(reading(() => Effect.succeed(says("")), small))
  )
})
