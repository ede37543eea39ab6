import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { invoiceFields } from "../../fixtures/InvoiceFields.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const letter = (foot: string) => [
  "Nordlicht Feinkost GmbH",
  "Kaistraße 31",
  "27570 Bremerhaven",
  "",
  "Rechnung",
  "Rechnungsnummer     Rechnungsdatum      Fällig am",
  "TH-25-0614          19.09.2025          03.10.2025",
  "",
  "Tour                             km      Betrag EUR",
  "Bremerhaven Kiel                312          461,76",
  "Bremerhaven Hannover            181          267,88",
  "Netto                                        729,64",
  "Umsatzsteuer 19 %                            138,63",
  "Zu zahlen                                    868,27",
  "",
  foot,
  "Förde Sparkasse · IBAN DE02 2105 0170 0011 2233 44"
]

it.effect("doubts a seller that has only an address where the foot names another company", () =>
  Effect.gen(function* () {
    const { found, reasons } = yield* readByRules(
      printed(letter("Spedition Hinrichs GmbH · Amtsgericht Flensburg HRB 5512 · USt-IdNr. DE134882019")),
      { fields, relations: [] }
    )
    const { confidence = 0, value } = found["vendorName"] ?? {}
    if (value === "Nordlicht Feinkost GmbH") {
      expect(confidence).toBeLessThanOrEqual(0.75)
      expect(reasons.get("vendorName")).toContain("addressee")
    } else expect(value).toBe("Spedition Hinrichs GmbH")
  })
)

it.effect("takes no name for the seller that a label says is the customer's, wherever else it is", () =>
  Effect.gen(function* () {
    const { found } = yield* readByRules(
      printed([
        "aiguasegre                      DATOS DE LA FACTURA",
        "                                Nº factura: 24030A100448712",
        "Titular: Hotel Mas Oriol, S.L.  Fecha de emisión: 07/06/2024",
        "",
        "                                HOTEL MAS ORIOL, S.L.",
        "                                Camí de la Serra 12",
        "                                25180 ALCARRÀS",
        "",
        "Concepto            Cantidad   Precio    Importe",
        "Cuota fija                 2    30,00      60,00",
        "Consumo                   71     1,00      71,00",
        "Alcantarillado             1    20,70      20,70",
        "Base imponible                          151,70 €",
        "IVA 10 %                                 15,17 €",
        "TOTAL FACTURA                           166,87 €",
        "",
        "Aguas del Bajo Segre, S.A. - NIF A25118830 - Domicilio social: C/ Acadèmia 14, 25002 Lleida"
      ]),
      { fields, relations: [] }
    )
    expect(found["vendorName"]?.value).toBe("Aguas del Bajo Segre, S.A.")
  })
)

it.effect("does not doubt a seller whose foot names itself", () =>
  Effect.gen(function* () {
    const { found } = yield* readByRules(
      printed(letter("Nordlicht Feinkost GmbH · Amtsgericht Bremen HRB 5512 · USt-IdNr. DE134882019")),
      { fields, relations: [] }
    )
    expect(found["vendorName"]?.value).toBe("Nordlicht Feinkost GmbH")
    expect(found["vendorName"]?.confidence).toBeGreaterThan(0.85)
  })
)

const freight = (account: string) => [
  "WALLYN-DERYCKE",
  "Kaai 417, 8380 Zeebrugge",
  "BTW BE 0428.774.119                         Brasserie du Val SRL",
  "KBC BE71 7380 0419 2269                     Rue de l'Eglise 18",
  "                                            6717 Attert",
  `                                            TVA ${account}`,
  "",
  "FACTUUR",
  "Nummer          Datum           Vervaldag",
  "V26-01182       16/02/2026      18/03/2026",
  "",
  "Omschrijving               Aantal   Prijs      Bedrag",
  "Transport Zeebrugge             1  685,00      685,00",
  "Wachturen                       2   48,00       96,00",
  "Totaal excl. btw                               781,00",
  "Btw 21%                                        164,01",
  "Te betalen                                 EUR 945,01"
]

it.effect("takes no name for the seller whose VAT number is not the one next to the account", () =>
  Effect.gen(function* () {
    const { found } = yield* readByRules(printed(freight("BE 0784.102.336")), { fields, relations: [] })
    expect(found["vendorName"]?.value).toBe("WALLYN-DERYCKE")
  })
)

it.effect("takes a VAT number for the same in which a figure was misread", () =>
  Effect.gen(function* () {
    const lines = [
      ...freight("BE 0784.102.336").map((line) => line.replace("0428.774.119", "0428.774.179")),
      "",
      "Wallyn-Derycke NV · BTW BE 0428.774.119 · IBAN BE71 7380 0419 2269"
    ]
    const { found } = yield* readByRules(printed(lines), { fields, relations: [] })
    expect(String(found["vendorName"]?.value).toLowerCase()).toContain("wallyn")
  })
)

it.effect("takes the firm for the seller, not its owner in the line below", () =>
  Effect.gen(function* () {
    const lines = [
      "Tischlerei Holger Zschunke",
      "Inh. Holger Zschunke e.K. · Klingenthaler Straße 27 · 08258 Markneukirchen",
      ...letter("Steuernummer 223/281/00417").slice(3)
    ]
    const { found } = yield* readByRules(printed(lines), { fields, relations: [] })
    expect(found["vendorName"]?.value).toBe("Tischlerei Holger Zschunke")
  })
)
