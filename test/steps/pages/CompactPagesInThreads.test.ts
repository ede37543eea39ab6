import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compactPage } from "../../../src/document/process/CompactPage.ts"
import { decodePage } from "../../../src/document/process/DecodePage.ts"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { fieldsOf } from "../../../src/extraction/lexicon/FieldsOf.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { wordsOf } from "../../../src/extraction/layout/PageModel.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { RulesReader } from "../../../src/extraction/rules/RulesReader.ts"
import * as RulesThreads from "../../../src/extraction/threads/RulesThreads.ts"
import { printed } from "./PrintedLines.ts"

const oneThread = RulesThreads.layerWith({
  launch: () => RulesThreads.launchThread(undefined),
  launchAfter: 0,
  most: 1
})

it.live("rules in a thread read the pages of a reader, which are sent in their compact form", () =>
  Effect.gen(function* () {
    const words = printed(["Ahorn GmbH", "Rechnungsnummer: 2026-0117", "Gesamtbetrag EUR      404,60"])
      .pages.flatMap(({ lines }) => lines)
      .flatMap(wordsOf)
      .map(({ bbox: { h, w, x, y }, text }) => ({ h, w, x, y, text, turn: 0 as const }))
    const compact = compactPage({ width: 595, height: 842, words, drawn: false })
    const document: DocumentIR = { extras: { pageCount: 2 }, pages: [decodePage(compact, 2)] }
    const definitions = {
      number: { preset: "invoice.number" },
      total: { preset: "invoice.totalAmount" }
    } as const
    const request = { fields: fieldsOf(definitions, shippedLexicon()), relations: [] }
    const there = yield* (yield* RulesReader)(document, request)
    expect(there).toEqual(yield* readByRules(structuredClone(document), request))
    expect(there.found["total"]).toMatchObject({ value: 404.6, page: 2 })
  }).pipe(Effect.provide(oneThread))
)
