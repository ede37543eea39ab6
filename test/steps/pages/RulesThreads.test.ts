import * as RulesThreads from "../../../src/extraction/threads/RulesThreads.ts"
import { describe, expect, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { knownKind } from "../../../src/extraction/kinds/DocumentKind.ts"
import { fieldOf, fieldsOf } from "../../../src/extraction/lexicon/Field.ts"
import { CurrentLexicon, layer as lexiconLayer } from "../../../src/extraction/lexicon/CurrentLexicon.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { readByRules, RulesReader } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "./PrintedLines.ts"

const definitions = {
  number: { preset: "invoice.number" },
  date: { preset: "invoice.date" },
  seller: { preset: "invoice.vendorName" },
  subtotal: { preset: "invoice.subtotal" },
  tax: { preset: "invoice.taxAmount" },
  total: { preset: "invoice.totalAmount" },
  lines: { preset: "invoice.lineItems" }
} as const
const relations = ["subtotal + tax = total", "sum(lines.amount) = subtotal"]

const invoiceLines = [
  "Tischlerei Ahorn GmbH",
  "RECHNUNG",
  "Rechnungsnummer: 2026-0117",
  "Rechnungsdatum: 14.03.2026",
  "",
  "Menge     Beschreibung          Einzelpreis      Betrag",
  "2         Regal aus Eiche            150,00      300,00",
  "1         Lieferung                   40,00       40,00",
  "",
  "Zwischensumme                                    340,00",
  "MwSt. 19 %                                        64,60",
  "Gesamtbetrag EUR                                 404,60"
]
const invoice = printed(invoiceLines)

/** A page of 1,600 words, of which a thread is told in parts; the sums are in the last one. */
const longPage = printed([
  ...invoiceLines.slice(0, 9),
  ...Array.from({ length: 400 }, (_, line) => `Hinweis Nummer ${line} beachten`),
  ...invoiceLines.slice(9)
])

const pages = (count: number): DocumentIR => ({
  extras: { pageCount: count },
  pages: Array.from({ length: count }, (_, index) =>
    invoice.pages.map((page) => ({ ...page, pageNumber: index + 1 }))
  ).flat()
})

const request = (lexicon = shippedLexicon()) => ({ fields: fieldsOf(definitions, lexicon), relations })

const read = Effect.fnUntraced(function* (document: DocumentIR) {
  return yield* (yield* RulesReader)(document, request(yield* CurrentLexicon))
})

/** What `read` finds, on the event loop. */
const byRules = Effect.fnUntraced(function* (document: DocumentIR) {
  return yield* readByRules(document, request(yield* CurrentLexicon))
})

/** Waits in real time, also where a test has its own clock. */
const until = (holds: () => boolean) =>
  Effect.promise(async (signal) => {
    while (!holds() && !signal.aborted) await setTimeout(10)
  })

/** Threads of a test: how many were launched, and how many of them can be asked. */
const threadsOf = (launchOne: (index: number) => Worker, most = 1) => {
  const launched: Array<Worker> = []
  let ready = 0
  const launch = () => {
    const worker = launchOne(launched.length)
    launched.push(worker)
    worker.on("message", ({ tell }) => {
      if (tell === "ready") ready += 1
    })
    return worker
  }
  return {
    launched,
    layer: RulesThreads.layerWith({ launch, most, launchAfter: 0 }),
    /** Waits until so many threads can be asked. */
    ready: (count: number) => until(() => ready >= count)
  }
}

/** A thread that ends at the first message, as one does that needs too much memory. */
const ending = (): Worker =>
  new Worker(
    `const { parentPort } = require("node:worker_threads")
    parentPort.once("message", () => process.exit(1))
    parentPort.postMessage({ tell: "ready" })`,
    { eval: true }
  )

/** A thread that answers nothing, and notes what it is told. */
const silent = (heard: Array<string>): Worker => {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads")
    parentPort.on("message", ({ ask }) => parentPort.postMessage({ heard: ask }))
    parentPort.postMessage({ tell: "ready" })`,
    { eval: true }
  )
  worker.on("message", ({ heard: ask }) => {
    if (ask !== undefined) heard.push(String(ask))
  })
  return worker
}

/** A thread whose program fails as it loads. */
const failing = (): Worker => new Worker("throw new Error('no lexicon')", { eval: true })

/** What the threads of `loaded` have told. */
const told: Array<unknown> = []

/** The user's own lexicon. */
const ownWords = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "docflow-words-"))
    await writeFile(join(folder, "de.yaml"), "fields:\n  invoice.number: { labels: [Zeddelnumero] }\n")
    return folder
  }),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

/** Two threads for several tests, because the second one takes seconds to load: the first one ends when it is asked. */
const loaded = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* ownWords
    const threads = threadsOf((index) => {
      const worker = index === 0 ? ending() : RulesThreads.launchThread(folder)
      return worker.on("message", ({ tell }) => void told.push(tell))
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => expect(threads.launched).toHaveLength(2)))
    return Layer.merge(threads.layer, lexiconLayer(folder))
  })
)

layer(loaded, { excludeTestServices: true })("a thread of rules", (it) => {
  it.effect("reads again what another one read when it ended; while it loads, the event loop is free", () =>
    Effect.gen(function* () {
      yield* until(() => told.length === 1)
      const all = yield* Effect.all([read(invoice), read(pages(2))], { concurrency: 2 })
      expect(all.map(({ found }) => found["total"]?.value)).toEqual([404.6, 404.6])
      expect(told).toEqual(["ready", "ready", "found", "found"])
    })
  )

  it.effect("finds what the event loop finds", () =>
    Effect.gen(function* () {
      const there = yield* read(invoice)
      expect(there).toEqual(yield* byRules(pages(1)))
      expect(there.found["total"]?.value).toBe(404.6)
      expect(there.found["lines"]?.value).toHaveLength(2)
    })
  )

  it.effect("finds the same in a page that it is told in parts", () =>
    Effect.gen(function* () {
      const there = yield* read(longPage)
      expect(there).toEqual(yield* byRules(structuredClone(longPage)))
      expect(there.found["total"]?.value).toBe(404.6)
    })
  )

  it.effect("keeps the kind of the document, which steps ask for next", () =>
    Effect.gen(function* () {
      const document = pages(1)
      yield* read(document)
      expect(knownKind(document)?.kind).toBe("invoice")
    })
  )

  it.effect("takes the date of today from the clock of the process", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(1988, 4, 20))
      const old = printed([
        "Tischlerei Ahorn GmbH",
        "RECHNUNG",
        "Rechnungsdatum: 14.03.88",
        "Gesamtbetrag EUR 40,00"
      ])
      const { found } = yield* read(old)
      expect(found["date"]?.value).toBe("1988-03-14")
      expect(found).toEqual((yield* byRules(old)).found)
    }).pipe(Effect.provide(TestClock.layer()))
  )

  it.effect("knows the words of the user's own lexicon", () =>
    Effect.gen(function* () {
      const document = printed([
        "Tischlerei Ahorn GmbH",
        "RECHNUNG",
        "Zeddelnumero  4711-B",
        "Gesamtbetrag EUR  40,00"
      ])
      const { found } = yield* read(document)
      expect(found["number"]?.confidence).toBeGreaterThanOrEqual(sureFrom)
      const shipped = yield* Effect.provideService(
        readByRules(structuredClone(document), request()),
        CurrentLexicon,
        shippedLexicon()
      )
      expect(shipped.found["number"]?.confidence ?? 0).toBeLessThan(sureFrom)
    })
  )

  it.effect("fails with the defect of a rule", () =>
    Effect.gen(function* () {
      // A line that no reader makes: its text is missing.
      const broken: DocumentIR = JSON.parse(
        JSON.stringify({
          ...invoice,
          pages: invoice.pages.map((page) => Object.assign({}, page, { lines: [{}] }))
        })
      )
      const exit = yield* Effect.exit(read(broken))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("TypeError")
    })
  )
})

describe("rules in threads", () => {
  it.live("are applied on the event loop if no thread can load its program", () => {
    const { launched, layer } = threadsOf(failing)
    return Effect.gen(function* () {
      for (let index = 0; index < 2; index++) {
        const { found } = yield* read(invoice)
        expect(found["total"]?.value).toBe(404.6)
      }
      expect(launched).toHaveLength(3)
    }).pipe(Effect.provide(layer))
  })

  it.live("are applied on the event loop to fields that no definition describes", () => {
    const { layer, ready } = threadsOf(ending)
    return Effect.gen(function* () {
      yield* ready(1)
      const fields = [fieldOf("total", definitions.total)]
      const { found } = yield* (yield* RulesReader)(invoice, { fields, relations: [] })
      expect(found["total"]?.value).toBe(404.6)
    }).pipe(Effect.provide(layer))
  })

  it.live("fail for a document that ends every thread, and say so", () => {
    const { layer, ready } = threadsOf(ending)
    return Effect.gen(function* () {
      yield* ready(1)
      const exit = yield* Effect.exit(read(invoice))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("thread ended")
    }).pipe(Effect.provide(layer))
  })

  it.live(
    "are told a long page in parts, because copying it takes time, and stop when the step is interrupted",
    () => {
      const heard: Array<string> = []
      const { layer, ready } = threadsOf(() => silent(heard))
      return Effect.gen(function* () {
        yield* ready(1)
        const fiber = yield* Effect.forkChild(read(longPage))
        yield* until(() => heard.length === 3)
        yield* Fiber.interrupt(fiber)
        yield* until(() => heard.length === 4)
        expect(heard).toEqual(["hold", "hold", "read", "stop"])
      }).pipe(Effect.provide(layer))
    }
  )

  it.live("use further threads while all are busy, up to the limit", () => {
    const heard: Array<string> = []
    const { launched, layer, ready } = threadsOf(() => silent(heard), 2)
    return Effect.gen(function* () {
      yield* ready(1)
      const first = yield* Effect.forkChild(read(pages(1)))
      yield* until(() => heard.length === 2)
      // The second document finds the thread busy: another one is launched for those that come next.
      for (let index = 0; index < 2; index++) yield* Effect.forkChild(read(pages(1)))
      yield* until(() => launched.length === 2 && heard.length === 6)
      for (let index = 0; index < 3; index++) yield* Effect.forkChild(read(pages(1)))
      yield* until(() => heard.length === 12)
      expect(launched).toHaveLength(2)
      yield* Fiber.interrupt(first)
    }).pipe(Effect.provide(layer))
  })
})
