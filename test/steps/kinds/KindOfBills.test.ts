import { expect, it } from "@effect/vitest"
import { documentKindOf } from "../../../src/extraction/kinds/DocumentKind.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { printed } from "../pages/PrintedLines.ts"

it.each(["Nota d'onorario", "Nota di onorario", "Nota professionale", "Parcella"])(
  "%s is an invoice",
  (title) => {
    const { pages } = printed([
      "Studio Bernasca SA",
      `${title} 2026-118`,
      "Data: 14.05.2026",
      "Consulenza fiscale                     1.200,00",
      "IVA 8,1%                                  97,20",
      "Totale CHF                             1.297,20"
    ])
    const models = pages.map((page) => pageModel(page, shippedLexicon()))
    expect(documentKindOf(models, shippedLexicon()).kind).toBe("invoice")
  }
)

it.each(["Faktura 25-118402", "Werkstattrechnung W 20488"])("%s is an invoice", (title) => {
  const { pages } = printed([
    "Landtechnik Zbinder AG",
    "",
    title,
    "Datum / Nr.     Text                        Betrag",
    "12.05.          Traktor abgeholt            160,00",
    "13.05.          Getriebe zerlegt            480,00",
    "Total exkl. MWST                            640,00",
    "MWST 8,1 %                                   51,85",
    "Total CHF                                   691,85"
  ])
  const models = pages.map((page) => pageModel(page, shippedLexicon()))
  expect(documentKindOf(models, shippedLexicon()).kind).toBe("invoice")
})

it.each([
  ["Dachdeckerrechnung Nr. 2026-17", "zzgl. MwSt", "invoice"],
  ["Håndværkerregning nr. 882", "moms", "invoice"],
  ["Teilgutschrift Nr. 77", "zzgl. MwSt", "credit-note"],
  ["Kostenberechnung Nr. 78", "zzgl. MwSt", "other"],
  ["Spesenabrechnung Nr. 79", "zzgl. MwSt", "other"]
])("%s is told by the last word of the compound", (title, tax, kind) => {
  const { pages } = printed([
    "Meier & Holm",
    "",
    title,
    "12.05.2026",
    "Material                                    120,00",
    `${tax.padEnd(44)}25,20`,
    "Total                                       145,20"
  ])
  const models = pages.map((page) => pageModel(page, shippedLexicon()))
  expect(documentKindOf(models, shippedLexicon()).kind).toBe(kind)
})

it("a Danish bill for water is one of a utility, although its cubic metres were misread", () => {
  const { pages } = printed([
    "Ådal Vandværk A.m.b.a.",
    "Regningsnummer 2026-10118",
    "Dato 16.01.2026",
    "Betalingsdato 02.02.2026",
    "Årsopgørelse for vand 01.01.2025 - 31.12.2025",
    "Måler 771820 · aflæst 31.12.2025: 1.842 m2",
    "Specifikation    Mængde    Pris    Beløb kr.",
    "Vandforbrug      105 m2    7,20      756,00",
    "Fast bidrag      1 år    620,00      620,00",
    "Beløb ekskl. moms                  1.376,00",
    "Moms 25 %                            344,00",
    "Regning i alt                      1.720,00"
  ])
  const models = pages.map((page) => pageModel(page, shippedLexicon()))
  expect(documentKindOf(models, shippedLexicon()).kind).toBe("utility-bill")
})
