import { describe, expect, it } from "@effect/vitest"
import { documentKindOf } from "../../../src/extraction/kinds/DocumentKind.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { printed } from "../pages/PrintedLines.ts"

const kindOf = (lines: ReadonlyArray<string>) => {
  const { pages } = printed(lines)
  const models = pages.map((page) => pageModel(page, shippedLexicon()))
  return documentKindOf(models, shippedLexicon()).kind
}

describe("the kind of a letter", () => {
  it("is none where sentences mention what invoices have", () => {
    const lines = [
      "Weidner Papier GmbH",
      "Umstellung auf elektronische Rechnungen",
      "Sehr geehrte Damen und Herren,",
      "Rechnungsnummer und Rechnungsdatum finden Sie wie gewohnt rechts oben auf der Seite.",
      "Die Bedingungen bleiben gleich, zahlbar innerhalb der bisher mit Ihnen vereinbarten Frist ohne Abzug.",
      "Den Betrag von 25,00 schreiben wir Ihnen nach der Umstellung auf Lastschrift einmalig gut.",
      "Mit freundlichen Grüßen",
      "USt-IdNr. DE123456789"
    ]
    expect(kindOf(lines)).toBe("other")
  })

  it("is that of its subject, though a label has the same words", () => {
    const lines = [
      "Timmerbedrijf Hoek, btw NL001122334B01",
      "Betreft: factuur 2025-044",
      "Geachte heer Smit, voor het plaatsen van de dakkapel breng ik u hierbij in rekening",
      "het bedrag van € 380,00, te vermeerderen met 21% btw, zijnde € 79,80, totaal € 459,80.",
      "Ik verzoek u dit bedrag binnen 14 dagen over te maken."
    ]
    expect(kindOf(lines)).toBe("invoice")
  })

  it("is that of the first title of its subject", () => {
    const lines = [
      "Knooppunt ICT Diensten B.V.",
      "Eindhoven, 25 november 2024",
      "Betreft: betalingsherinnering factuur 20240817",
      "Beste relatie, volgens onze administratie staat onderstaande factuur nog open.",
      "Factuurnummer   Factuurdatum   Vervaldatum   Bedrag",
      "20240817        21-10-2024     04-11-2024    € 363,00"
    ]
    expect(kindOf(lines)).toBe("reminder")
  })

  it("is a proforma where the title of an invoice goes on with that word in the next line", () => {
    const lines = [
      "Olivarera del Sur, S.C.A.               FACTURA",
      "23529 Bedmar (Jaén)                     PROFORMA",
      "CIF F-23118844",
      "Importador: Distribuidora Gourmet       Fecha: 15/10/2024",
      "Descripción              Cajas      EUR/caja      Importe EUR",
      "Aceite de oliva            300         58,50        17.550,00",
      "Total EUR                                           17.550,00"
    ]
    expect(kindOf(lines)).toBe("proforma")
  })

  it.each(["Zahlungserinnerung zu unserer Rechnung Nr. 25-0417", "2. Mahnung – Rechnung Nr. 25-0417"])(
    "is that of the first title in a line: %s",
    (title) => {
      const lines = [
        "Autohaus Wirth GmbH",
        title,
        "Rechnungsdatum: 02.04.2025",
        "Fällig am: 16.04.2025",
        "Rechnungsbetrag 684,20 €",
        "Mahnspesen 0,00 €",
        "Bitte überweisen Sie den offenen Betrag. Falls bezahlt, ist dieses Schreiben gegenstandslos."
      ]
      expect(kindOf(lines)).toBe("reminder")
    }
  )

  it("is that of its title where it lists invoices", () => {
    const lines = [
      "Wytwórnia Mebli Olcha, NIP 657-11-22-333",
      "Ostateczne wezwanie do zapłaty",
      "Nr faktury   Data wystawienia   Termin płatności   Kwota",
      "FV/118/2025   01.03.2025   15.03.2025   1 230,00",
      "Razem do zapłaty   1 230,00"
    ]
    expect(kindOf(lines)).toBe("reminder")
  })

  it.each(["1 er rappel – facture n° 2024118 du 12.11.2024", "2e rappel – facture n° 2024118"])(
    "is that of a title with a count and a dash: %s",
    (title) => {
      const lines = [
        "Menuiserie Delacombe Sàrl",
        title,
        "Sauf erreur de notre part, cette facture reste impayée.",
        "Facture n° 2024118 du 12.11.2024 748.60",
        "Total TTC 748.60 dont TVA 8.1% 56.09"
      ]
      expect(kindOf(lines)).toBe("reminder")
    }
  )
})

it("a bill with meter readings and unit rates is one of a utility, though it has all signs of an invoice", () => {
  const lines = [
    "Corrib Power",
    "Invoice number   CP-118",
    "Invoice date   4 Mar 2025",
    "Due date   24 Mar 2025",
    "MPRN   10 305 551 827",
    "Billing period   1 Jan 2025 - 2 Mar 2025",
    "Day units   412 kWh   0.3418   140.82",
    "Standing charge   61 days   0.7960   48.56",
    "Meter reading   41208   41620",
    "Subtotal   189.38",
    "VAT 9%   17.04",
    "Total   206.42"
  ]
  expect(kindOf(lines)).toBe("utility-bill")
})

it.each([
  ["other", ["CUSTOMS DECLARATION CN22", "2 scarves  0.310  54.00", "Invoice no. 20118", "Total  54.00"]],
  ["other", ["Aviso de transferencia", "Factura nº  Fecha  Importe", "F25-118  02/03/2025  1.210,00"]],
  [
    "receipt",
    [
      "Parkhaus am Dom",
      "Ihr Beleg für den Parkvorgang. Es ist nichts weiter zu bezahlen.",
      "Belegnummer   P-22018",
      "Einfahrt   12.03.2025 09:02",
      "Ausfahrt   12.03.2025 11:40",
      "Parkgebühr inkl. MwSt.   6,00 €",
      "USt-IdNr. DE811222333"
    ]
  ]
] as const)("%s by words of its own: %s", (kind, lines) => {
  expect(kindOf(lines)).toBe(kind)
})

describe("the kind that a title with more behind it says", () => {
  it.each([
    ["DODACÍ LIST č. DL24/04417", "delivery-note"],
    ["CONFERMA D'ORDINE CLIENTE", "order-confirmation"]
  ] as const)("is that of the title: %s", (title, kind) => {
    expect(kindOf([title, "Krenn Trade", "12,00", "Celkem hmotnost 24"])).toBe(kind)
  })
  it("is that of the title in large print that begins with one", () => {
    const lines = [
      "Quote for a new web shop",
      "Krenn Digital",
      "Basic setup 450",
      "Valid until 8 May",
      "Total 450"
    ]
    const models = (height: number) =>
      printed(lines).pages.map((page) => {
        const [title, ...rest] = pageModel(page, shippedLexicon()).rows
        const rows = [(title ?? []).map((token) => Object.assign({}, token, { h: height })), ...rest]
        return Object.assign({}, pageModel(page, shippedLexicon()), { rows })
      })
    expect(documentKindOf(models(18), shippedLexicon()).kind).toBe("quote")
    expect(documentKindOf(models(10), shippedLexicon()).kind).toBe("other")
  })
})
