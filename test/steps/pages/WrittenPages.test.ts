import { existsSync } from "node:fs"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Example } from "../../../bench/Example.ts"
import { examplesOf } from "../../../bench/Examples.ts"
import { entriesOf, type Entry, isPlain, isScored, isSure } from "../../../bench/LedgerEntries.ts"
import { chromiumPath } from "../../../bench/PrintedPdf.ts"
import { documentText } from "../../../src/domain/DocumentIR.ts"
import { sharedReader } from "../../support/SharedReader.ts"

/** What is wrong and sure. Take a line out once it is right or in doubt. */
const knownSureAndWrong = new Set([
  "invoice-nl-plaatwerk table",
  "invoice-ua-bas vendorName",
  "invoice-us-vet dueDate"
])

/** The least share of right values, by field, with room for other fonts. */
const floors = {
  invoiceNumber: 0.93,
  invoiceDate: 0.94,
  dueDate: 0.94,
  vendorName: 0.9,
  currency: 0.97,
  subtotal: 0.95,
  taxAmount: 0.94,
  totalAmount: 0.97,
  merchantName: 0.95,
  date: 0.95,
  row: 0.95,
  table: 0.93,
  kind: 0.94
}

const hasChromium = existsSync(chromiumPath)
const note = hasChromium ? "" : " (skipped: no /usr/bin/chromium)"

const text = ({ document, field }: Entry): string => `${document.replace(/^\w+\//u, "")} ${field}`
const withValues = (entries: ReadonlyArray<Entry>): string =>
  entries
    .filter(({ right }) => !right)
    .map((entry) => `${text(entry)}: ${JSON.stringify(entry.value)}, truth ${JSON.stringify(entry.truth)}`)
    .join("\n")

const lettersIn = (printed: string): number => printed.match(/\p{L}/gu)?.length ?? 0

/** Whether a page has all its letters: those that no font of the machine has are lost. */
const isWhole = ({ document, prints = "" }: Example): boolean =>
  lettersIn(documentText(document).normalize("NFKC")) === lettersIn(prints.normalize("NFKC"))

/**
 * Holds the pages of `bench/pages`, each the anecdote of one document. To add a page, write its HTML into
 * `bench/pages/fourth` with its truth in `<script type="application/json" id="truth">`: the `flow`, the `kind`, what to
 * `expect` by field (null: nothing is printed) and the `lines` of an invoice as description, quantity, unit price and amount.
 * Invent firms and people. A value that is not found lowers the share of its field, and one that is wrong and sure is known
 * here until it is mended: neither is a reason to leave the page out.
 */
layer(sharedReader, { excludeTestServices: true })(`the written pages${note}`, (it) => {
  it.effect.skipIf(!hasChromium)(
    "have no sure and wrong values but the known ones, and enough right ones",
    () =>
      Effect.gen(function* () {
        const all = yield* examplesOf(["written", "anecdotes"])
        const examples = all.filter(isWhole)
        expect(examples.length).toBeGreaterThan(0.9 * all.length)
        const entries = (yield* Effect.forEach(examples, (example) => entriesOf(example, "pdf"))).flat()
        const wrong = entries.filter((entry) => isSure(entry) && !entry.right)
        expect(withValues(wrong.filter((entry) => !knownSureAndWrong.has(text(entry))))).toBe("")
        const fields = Map.groupBy(
          entries.filter((entry) => isScored(entry) || !isPlain(entry)),
          ({ field }) => field.replace(/ \d+$/u, "")
        )
        for (const [field, floor] of Object.entries(floors)) {
          const own = fields.get(field) ?? []
          const share = own.filter(({ right }) => right).length / own.length
          expect(share, `${field}\n${withValues(own)}`).toBeGreaterThanOrEqual(floor)
        }
      })
  )
})
