import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { CurrentLexicon, layer, lexiconWith } from "../../../src/extraction/lexicon/CurrentLexicon.ts"
import type { Language } from "../../../src/extraction/lexicon/Lexicon.ts"
import {
  heldLexicon,
  lexiconInUse,
  shippedLexicon,
  useLexicon
} from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { parseDate } from "../../../src/extraction/values/Dates.ts"
import { countriesNamed, countriesIn, dateOrderIn } from "../../../src/extraction/lexicon/CountrySigns.ts"
import { checkVatId } from "../../../src/extraction/values/CheckedNumbers.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"
import { currencyOf, meaningsOf } from "../../../src/extraction/lexicon/CurrencySigns.ts"

const { foldLabel, languages } = shippedLexicon()

/** The text by which labels are compared; those with a wildcard only by the whole of it. */
const key = (label: string): string => label.split("*").map(foldLabel).join("*")

/** Labels are compared with every way to write "number" as one; the lists of these ways are not. */
const keyFor = (list: string) =>
  list === "number" || list === "numberEndings" ? (label: string): string => label.toLowerCase() : key

const twice = (labels: ReadonlyArray<string>, keyOf = key): ReadonlyArray<string> => {
  const keys = labels.map(keyOf)
  return labels.filter((label, index) => keys.indexOf(keyOf(label)) !== index)
}

const lists = ({
  fields,
  kinds,
  words
}: Language): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => [
  ...Object.entries(fields).map(([name, own]) => [name, [...own.labels, ...own.weak]] as const),
  ...Object.entries(fields).map(([name, own]) => [`${name}.not`, own.not] as const),
  ...Object.entries(kinds).flatMap(([kind, own]) => [
    [`${kind}.titles`, own.titles] as const,
    [`${kind}.words`, own.words] as const
  ]),
  ...Object.entries(words).map(([name, own]) => [name, own] as const)
]

const withFolder = <A, E>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Effect.Effect<A, E>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "lexicon-"))
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
      return folder
    }),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

describe("the lexicon", () => {
  it.each(languages.map((language) => [language.tag, language] as const))(
    "says nothing twice in %s",
    (_, language) => {
      for (const [name, labels] of lists(language))
        expect([name, twice(labels, keyFor(name))]).toEqual([name, []])
    }
  )

  it.each([
    ["Dachdeckerrechnung Nr.", "Rechnung Nr"],
    ["Sammelrechnungsnummer", "Sammelrechnungsnummer"],
    ["Teilgutschrift", "Gutschrift"],
    ["Restabschlagsrechnung", "Abschlagsrechnung"],
    ["Abschlagsrechnung", "Abschlagsrechnung"],
    ["Stornorechnung", "Stornorechnung"],
    ["Kostenberechnung", "Kostenberechnung"],
    ["Remonttilasku", "Lasku"],
    ["Tandartsfactuur", "Factuur"],
    ["Bankszámla", "Bankszámla"]
  ])("compares %s as %s", (word, as) => {
    const one = foldLabel(word)
    expect(one).toBe(foldLabel(as))
    expect(one === foldLabel("Rechnung") || one === foldLabel("Számla")).toBe(false)
  })

  it("names no kind of document by what is nothing but a number once it is folded: `§ 1`", () => {
    const numbers = languages.flatMap(({ kinds, tag }) =>
      Object.values(kinds).flatMap((kind) =>
        [...(kind?.titles ?? []), ...(kind?.words ?? [])]
          .filter((text) => !/\p{L}/u.test(key(text)))
          .map((text) => `${tag}: ${text}`)
      )
    )
    expect(numbers).toEqual([])
  })

  it("contradicts itself in no language: what names a field does not rule it out in any other", () => {
    const contradictions = languages.flatMap((language) =>
      Object.entries(language.fields).flatMap(([name, { labels, weak }]) => {
        const refused = new Set(languages.flatMap(({ fields }) => fields[name]?.not.map(key) ?? []))
        return [...labels, ...weak]
          .filter((label) => refused.has(key(label)))
          .map((label) => `${name}: ${label}`)
      })
    )
    expect(contradictions).toEqual([])
  })

  it("names a title of one kind only, in each language", () => {
    const shared = languages.flatMap(({ kinds, tag }) => {
      const all = Object.values(kinds).flatMap((kind) => kind?.titles ?? [])
      return twice(all).map((title) => `${tag}: ${title}`)
    })
    expect(shared).toEqual([])
  })

  it("is tagged with languages that Intl knows", () => {
    const names = new Intl.DisplayNames("en", { type: "language" })
    for (const { tag } of languages) expect(tag === "und" || names.of(tag) !== tag, tag).toBe(true)
  })
})

describe("names that Intl has", () => {
  it.each([
    ["12. tammikuuta 2024", "2024-01-12"],
    ["3 Ağustos 2024", "2024-08-03"],
    ["15. července 2023", "2023-07-15"],
    ["7 октября 2022", "2022-10-07"],
    ["1. Jänner 2024", "2024-01-01"],
    ["31 Mrz 2024", "2024-03-31"],
    ["15 กุมภาพันธ์ 2569", "2026-02-15"]
  ])("of months: %s", (text, iso) => expect(parseDate(text)?.iso).toBe(iso))

  it.each([
    ["Helsinki, Suomi", "FI"],
    ["Budapest, Magyarország", "HU"],
    ["Cardiff, Wales", "GB"],
    ["Austin, U.S.A.", "US"],
    ["Jordan Smith, Peru Street", undefined],
    ["New Mexico Gas Company", undefined],
    ["las tribus de Nuevo México.", "US"],
    ["China Garden Restaurant", undefined],
    ["Bank of Ireland", undefined],
    ["Nordea Finland Plc", "FI"]
  ])("of countries: %s", (text, country) =>
    expect([...countriesNamed(text, shippedLexicon())][0]).toBe(country)
  )

  it.each([
    ["Kč", "CZK"],
    ["SFr.", "CHF"],
    ["元", "CNY"],
    ["₸", "KZT"],
    ["eur", "EUR"],
    ["A$", "AUD"],
    ["kW", undefined],
    ["XYZ", undefined],
    ["", undefined]
  ])("of currencies: %s", (text, code) => expect(currencyOf(text)).toBe(code))
})

describe("a lexicon folder of the user's own", () => {
  it.effect("adds labels that come before the shipped ones, and new languages", () =>
    Effect.gen(function* () {
      const files = {
        "de.yaml": "fields:\n  invoice.number:\n    labels: Vorgangskennung; Rechnung an",
        "eo.yaml": "common: la kaj de\nfields:\n  invoice.number:\n    labels: [Numero de fakturo]",
        "notes.txt": "not a lexicon"
      }
      const lexicon = yield* withFolder(files, lexiconWith)
      const field = fieldOf("number", { preset: "invoice.number" }, lexicon)
      expect(field.labels).toContain("Vorgangskennung")
      expect(field.labels).toContain("Numero de fakturo")
      expect(field.labels).toContain("Rechnungsnummer")
      expect(field.labels.indexOf("Vorgangskennung")).toBeLessThan(field.labels.indexOf("Rechnungsnummer"))
      expect(field.not).not.toContain("Rechnung an")
      expect(lexicon.languagesOf("invoice.number", foldLabel("Numero de fakturo"))).toEqual(new Set(["eo"]))
      expect(fieldOf("number", { preset: "invoice.number" }).labels).not.toContain("Vorgangskennung")
    })
  )

  it.effect("reaches the months and currencies of every reader of the process", () =>
    Effect.gen(function* () {
      const before = lexiconInUse()
      const words = "words:\n  months: January=Ilbeltza\n  currencySigns: GBP=Lbr; ISK=kr."
      yield* withFolder({ "qaa.yaml": words }, (folder) => Effect.provide(Effect.void, layer(folder)))
      expect(parseDate("12 Ilbeltza 2026")?.iso).toBe("2026-01-12")
      expect([currencyOf("Lbr"), meaningsOf("kr.")]).toEqual(["GBP", ["ISK"]])
      useLexicon(before)
      expect(parseDate("12 Ilbeltza 2026")).toBeUndefined()
    })
  )

  it.effect("is held for its own folder alone: another engine of the process has another one", () =>
    Effect.gen(function* () {
      const before = lexiconInUse()
      const files = { "qaa.yaml": "words:\n  months: January=Ilbeltza" }
      yield* withFolder(files, (first) =>
        withFolder(files, (second) =>
          Effect.gen(function* () {
            for (const folder of [first, second]) yield* Effect.provide(Effect.void, layer(folder))
            expect(heldLexicon(first)).toBeUndefined()
            expect(heldLexicon(second)?.words("months")).toContain("January=Ilbeltza")
            expect(heldLexicon(undefined)).toBe(shippedLexicon())
          })
        )
      )
      useLexicon(before)
    })
  )

  it.effect(
    "adds a country: its register, its postcodes, its order of dates, its VAT numbers, its currency",
    () =>
      Effect.gen(function* () {
        const country = String.raw`
name: Freedonia
currency: XTS
domain: zz
vatId: { check: vat, prefix: ZZ }
dates: { order: MDY, proofs: [/\bSylvania\b/] }
places:
  - /\bZZ-\d{4}\b/
registers: [/\bfrd-?nr\b/i]
notDocuments:
  - /^ZZ-\d{4}$/`
        const lexicon = yield* withFolder({ "countries/ZZ.yaml": country }, lexiconWith)
        const signs = countriesIn("Rufus, ZZ-1234 Sylvania, FRD-NR 7, ZZ 123456789, rufus.zz", lexicon)
        expect(signs.get("ZZ")).toEqual({ place: 1, register: 1, vatId: 1, domain: 1 })
        expect(dateOrderIn("Sylvania", lexicon)).toBe("MDY")
        expect(checkVatId("ZZ123456789", lexicon)).toBe("shaped")
        expect(checkVatId("ZZ123456789")).toBe("none")
        const fields = [
          fieldOf("number", { preset: "invoice.number" }),
          fieldOf("currency", { preset: "invoice.currency" })
        ]
        const lines = ["Invoice", "Rufus, FRD-NR 7", "Invoice number: 2025-17", "Total 12.00"]
        const found = yield* Effect.provideService(
          extractByRules(printed(lines), { fields, relations: [] }),
          CurrentLexicon,
          lexicon
        )
        expect(found["currency"]?.value).toBe("XTS")
      })
  )

  it.effect.each([
    [
      "a pattern that is none",
      "countries/ZZ.yaml",
      "{ name: Z, currency: XTS, places: [ab] }",
      "/\\bHRB\\b/"
    ],
    ["a currency that is none", "countries/ZZ.yaml", "{ name: Z, currency: lira }", "ISO 4217"],
    ["a name that no preset has", "de.yaml", "fields: { invoice.numer: { labels: x } }", "invoice.numer"],
    ["an unknown key", "de.yaml", "feilds: {}", "feilds"],
    ["a month without its English name", "de.yaml", "words: { months: Jänner }", "January=Jänner"],
    ["a month without a month", "de.yaml", "words: { months: Foo=Bar }", "Foo=Bar"],
    ["an unknown list of words", "de.yaml", "words: { legalForm: GmbH }", "legalForm"],
    ["YAML that is none", "fr.yaml", "fields: [", "fr.yaml"]
  ] as const)("is refused with %s", ([, name, text, mentioned]) =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(withFolder({ [name]: text }, lexiconWith))
      expect(problem.message).toContain(name)
      expect(problem.message).toContain(mentioned)
    })
  )

  it.effect("is refused where there is none", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(lexiconWith("/nowhere/at/all"))
      expect(problem.message).toContain("/nowhere/at/all")
    })
  )
})
