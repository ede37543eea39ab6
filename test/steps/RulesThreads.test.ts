import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { DocumentIR } from "../../src/domain/DocumentIR.ts"
import { knownKind } from "../../src/steps/document-kind/KindDoubt.ts"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { fieldsOf } from "../../src/steps/extract/FieldsOf.ts"
import { CurrentLexicon, layer as lexiconLayer } from "../../src/steps/extract/lexicon/CurrentLexicon.ts"
import { shippedLexicon } from "../../src/steps/extract/lexicon/ReadLexicon.ts"
import { readByRules } from "../../src/steps/extract/Rules.ts"
import { RulesReader } from "../../src/steps/extract/RulesReader.ts"
import * as RulesThreads from "../../src/steps/extract/threads/RulesThreads.ts"
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

const invoice = printed([
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
])

const pages = (count: number): DocumentIR => ({
  extras: { pageCount: count },
  pages: Array.from({ length: count }, (_, index) =>
    invoice.pages.map((page) => ({ ...page, pageNumber: index + 1 }))
  ).flat()
})

const request = () => ({ fields: fieldsOf(definitions, shippedLexicon()), relations })

const read = (document: DocumentIR) => Effect.flatMap(RulesReader, (rules) => rules(document, request()))

/** A thread that ends at the first message, as one does that needs too much memory. */
const ending = (): Worker =>
  new Worker('require("node:worker_threads").parentPort.once("message", () => process.exit(1))', {
    eval: true
  })

/** A thread that answers nothing, and notes what it is told. */
const silent = (heard: Array<string>): Worker => {
  const worker = new Worker(
    'const port = require("node:worker_threads").parentPort; port.on("message", ({ ask }) => port.postMessage(ask))',
    { eval: true }
  )
  worker.on("message", (ask) => heard.push(String(ask)))
  return worker
}

const until = (holds: () => boolean) =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 500 })
  )

describe("rules in threads", () => {
  it.live("find what they find on the event loop", () =>
    Effect.gen(function* () {
      const there = yield* read(invoice)
      expect(there).toEqual(yield* readByRules(pages(1), request()))
      expect(there.found["total"]?.value).toBe(404.6)
      expect(there.found["lines"]?.value).toHaveLength(2)
    }).pipe(Effect.provide(RulesThreads.layer(undefined)))
  )

  it.live("keep the kind of the document, which steps ask for next", () =>
    Effect.gen(function* () {
      const document = pages(1)
      yield* read(document)
      expect(knownKind(document, shippedLexicon())?.kind).toBe("invoice")
    }).pipe(Effect.provide(RulesThreads.layer(undefined)))
  )

  it.effect("take the date of today from the clock of the process", () =>
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
      expect(found).toEqual((yield* readByRules(old, request())).found)
    }).pipe(Effect.provide(RulesThreads.layer(undefined)))
  )

  it.live("know the words of the user's own lexicon", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "docflow-words-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
      )
      yield* Effect.promise(() =>
        writeFile(join(folder, "de.yaml"), "fields:\n  invoice.number: { labels: [Zeddelnumero] }\n")
      )
      const document = printed([
        "Tischlerei Ahorn GmbH",
        "RECHNUNG",
        "Zeddelnumero  4711-B",
        "Gesamtbetrag EUR  40,00"
      ])
      const found = Effect.gen(function* () {
        const lexicon = yield* CurrentLexicon
        const { number } = definitions
        return (yield* (yield* RulesReader)(document, {
          fields: fieldsOf({ number }, lexicon),
          relations: []
        })).found
      })
      const own = Layer.merge(lexiconLayer(folder), RulesThreads.layer(folder))
      expect((yield* Effect.provide(found, own))["number"]?.confidence).toBeGreaterThan(0.9)
      const shipped = (yield* Effect.provide(found, RulesThreads.layer(undefined)))["number"]
      expect(shipped?.confidence).toBeLessThan(0.9)
    }).pipe(Effect.scoped)
  )

  it.live("are applied on the event loop to fields that no definition describes", () =>
    Effect.gen(function* () {
      const fields = [fieldOf("total", definitions.total)]
      const { found } = yield* (yield* RulesReader)(invoice, { fields, relations: [] })
      expect(found["total"]?.value).toBe(404.6)
    }).pipe(Effect.provide(RulesThreads.layerWith({ launch: ending, most: 1 })))
  )

  it.live("read a document again whose thread was ended by another one", () => {
    const launched: Array<Worker> = []
    const launch = () => {
      const worker = launched.length === 0 ? ending() : RulesThreads.launchThread(undefined)
      launched.push(worker)
      return worker
    }
    return Effect.gen(function* () {
      const all = yield* Effect.all([read(invoice), read(pages(2))], { concurrency: 2 })
      expect(all.map(({ found }) => found["total"]?.value)).toEqual([404.6, 404.6])
      expect(launched).toHaveLength(2)
    }).pipe(Effect.provide(RulesThreads.layerWith({ launch, most: 1 })))
  })

  it.live("fail for a document that ends every thread, and say so", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(read(invoice))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("thread ended")
    }).pipe(Effect.provide(RulesThreads.layerWith({ launch: ending, most: 1 })))
  )

  it.live("fail with the defect of a rule", () =>
    Effect.gen(function* () {
      const [page] = pages(1).pages
      if (page === undefined) return
      // A line that no reader makes: its text is missing.
      const broken: DocumentIR = JSON.parse(JSON.stringify({ ...invoice, pages: [{ ...page, lines: [{}] }] }))
      const exit = yield* Effect.exit(read(broken))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("TypeError")
    }).pipe(Effect.provide(RulesThreads.layer(undefined)))
  )

  it.live("stop when the step is interrupted", () => {
    const heard: Array<string> = []
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(read(pages(2)))
      yield* until(() => heard.length === 3)
      yield* Fiber.interrupt(fiber)
      yield* until(() => heard.length === 4)
      expect(heard).toEqual(["hold", "hold", "read", "stop"])
    }).pipe(Effect.provide(RulesThreads.layerWith({ launch: () => silent(heard), most: 1 })))
  })

  it.live("use another thread while one is busy, up to the limit", () => {
    const heard: Array<string> = []
    const launched: Array<Worker> = []
    const launch = () => {
      const worker = silent(heard)
      launched.push(worker)
      return worker
    }
    return Effect.gen(function* () {
      for (let index = 0; index < 5; index++) yield* Effect.forkChild(read(pages(1)))
      yield* until(() => heard.length === 10)
      expect(launched).toHaveLength(3)
    }).pipe(Effect.provide(RulesThreads.layerWith({ launch, most: 3 })))
  })
})
