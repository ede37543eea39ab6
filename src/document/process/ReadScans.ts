import { Clock, Effect, Schedule } from "effect"
import { UnreadableDocument } from "../../domain/Document.ts"
import type { Page } from "../../domain/DocumentIR.ts"
import { type Ocr, OcrFailure, type OcrImage } from "../../providers/ocr/Ocr.ts"
import { FairSlots } from "../../support/FairSlots.ts"
import type { ReaderPool, Source } from "./ReaderPool.ts"
import { recognisePage } from "../scan/RecognisePage.ts"
import { ScanDirections } from "../scan/ScanDirections.ts"
import type { Turns } from "../scan/ScanImage.ts"
import { availableParallelism, loadavg } from "node:os"
import type { Request } from "./Protocol.ts"
import { ask } from "./ReaderProcess.ts"

/** The number of pages that may each crash a child before no more pictures of the document are made. */
const mostLosses = 2

const givenUp = new UnreadableDocument({
  message: "The page was skipped: other pages of the document crashed the reader or took too long."
})

/** Makes pictures of a document's pages, each within `pageLimit` milliseconds. */
export const pictureAsker = (readers: ReaderPool, source: Source, pageLimit: number) => {
  let losses = 0
  return Effect.fnUntraced(function* <Ask extends "image" | "picture" | "view">(
    request: Extract<Request, { readonly ask: Ask }>
  ) {
    if (losses >= mostLosses) return yield* givenUp
    return yield* readers.use(source, (reader) =>
      Effect.tapErrorTag(ask<Ask>(reader, request, pageLimit), "UnreadableDocument", () =>
        Effect.sync(() => {
          if (!reader.isAlive()) losses++
        })
      )
    )
  })
}

/** The maximum wall time, as a multiple of a limit, on a machine that is busy with other work. */
const patience = 6

/** How many programs want each core, averaged over a minute: 1 where all have one; 0 where the system does not say. */
const loadOfCore = Effect.sync(() => (loadavg()[0] ?? 0) / availableParallelism())

/**
 * Runs an effect with a time limit in milliseconds that is longer while the machine is busy, at most `patience` times: there,
 * wall time says little about the work. Returns the result and the milliseconds that count towards the limit; fails with `late`.
 */
export const withinLimit = Effect.fnUntraced(function* <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  limit: number,
  late: () => E2,
  load: Effect.Effect<number> = loadOfCore
) {
  const slowness = Effect.map(load, (load) => Math.min(patience, Math.max(1, load)))
  const overtime = Effect.gen(function* () {
    let waited = 0
    for (;;) {
      const left = limit * (yield* slowness) - waited
      if (left <= 0) return yield* Effect.fail(late())
      yield* Effect.sleep(left)
      waited += left
    }
  })
  const begunAt = yield* Clock.currentTimeMillis
  const result = yield* Effect.raceFirst(effect, overtime)
  const took = (yield* Clock.currentTimeMillis) - begunAt
  return { result, counted: took / (yield* slowness) }
})

/** The resolution that recognition works best at. */
const dpi = 200

const beforeNextTry = Schedule.exponential("100 millis", 3)

interface ScanLimits {
  /** Milliseconds for making a picture of a page. */
  readonly pageLimit: number
  /** Milliseconds for recognising a page; more on a busy machine. */
  readonly ocrPageLimit: number
}

const overLimit = (milliseconds: number) =>
  new OcrFailure({ message: `Recognition of the page took longer than ${milliseconds / 1000} s.` })

/**
 * Recognises scanned pages: a few of a document at the same time, with no more pictures in memory for all documents
 * than recognition can soon take. Returns a function that hands over each page when it is done, in any order, and
 * returns the problem of the first page of which no picture could be made.
 */
export const makeReadScans = (readers: ReaderPool, ocr: Ocr["Service"], limits: ScanLimits) => {
  const late = () => overLimit(limits.ocrPageLimit)
  const engines = new FairSlots<object>(ocr.atOnce)
  // One picture more than can be recognised is prepared; and one slot is left for other documents.
  const pictures = new FairSlots<object>(ocr.atOnce + 2, ocr.atOnce + 1)

  /** Recognises pictures of one page, all within its time limit. Waiting for other pages is not counted. */
  const recognition = (source: Source) => {
    let left = limits.ocrPageLimit
    const timed = Effect.fnUntraced(function* (image: OcrImage) {
      const { counted, result } = yield* withinLimit(ocr.recognize(image), Math.max(0, left), late)
      left -= counted
      return result
    })
    return (image: OcrImage) =>
      engines.with(source, timed(image)).pipe(
        // An engine that the system ended says nothing about the page.
        Effect.retry({ while: ({ _tag }) => _tag === "OcrUnavailable", times: 2, schedule: beforeNextTry })
      )
  }

  return (source: Source, pages: ReadonlyArray<Page>, onPage: (page: Page) => Effect.Effect<void>) => {
    const asked = pictureAsker(readers, source, limits.pageLimit)
    const wrong: Array<UnreadableDocument> = []
    const directions = new ScanDirections()
    const picture = (page: Page, turns: Turns) =>
      Effect.map(
        asked<"image">({ ask: "image", index: page.pageNumber - 1, dpi, turns }),
        ({ image }) => image
      )
    const readScan = (page: Page) =>
      recognisePage(page, (turns) => picture(page, turns), recognition(source), directions).pipe(
        Effect.catchTags({
          OcrFailure: ({ message }) => Effect.succeed({ ...page, source: "none" as const, problem: message }),
          UnreadableDocument: (error) => {
            wrong.push(error)
            return Effect.succeed({ ...page, source: "none" as const, problem: error.message })
          }
        })
      )
    const all = Effect.forEach(
      pages,
      (page) => Effect.flatMap(pictures.with(source, readScan(page)), onPage),
      { concurrency: pictures.mostForOne, discard: true }
    )
    return Effect.map(all, () => wrong[0])
  }
}
