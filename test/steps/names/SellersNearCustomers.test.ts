import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("vendorName", { preset: "invoice.vendorName" }),
  fieldOf("number", { preset: "invoice.number" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const body = [
  "",
  "Invoice number: 2025-118     Date: 12 March 2025",
  "Consulting                              400.00",
  "Total                              EUR 400.00",
  "",
  "Payment within 14 days.",
  ""
]

it.effect.each([
  [
    "the one that is reached and registered, not the one with an address alone",
    [
      "Holzbau Zurbriggen GmbH                    Rüegsegger Treuhand AG",
      "Wylergasse 3                               Marktgasse 21",
      "3714 Frutigen                              3600 Thun",
      "                                           Tel. 033 244 18 00",
      "                                           CHE-108.447.231 MWST"
    ],
    [
      "Konto / Zahlbar an                   Zahlbar durch",
      "Rüegsegger Treuhand AG               Holzbau Zurbriggen GmbH"
    ],
    "Rüegsegger Treuhand AG"
  ],
  [
    "the whole name in the foot of what the small print above the address shortens",
    ["Hollmeier GmbH · Ziegelkamp 14 · 32457 Porta Westfalica", "", "Eheleute Wiegrefe", "Am Lannertsberg 7"],
    ["", "", "", "", "Hollmeier Dach und Bauklempnerei GmbH", "Ziegelkamp 14, 32457 Porta Westfalica"],
    "Hollmeier Dach und Bauklempnerei GmbH"
  ],
  [
    "the line right below the logo that has its words in its middle",
    [
      "Colle Sereno",
      "Azienda Agricola Colle Sereno di Tommaso Fabbri",
      "Strada di Pievescola 6, 53031 Casole d'Elsa",
      "P.IVA 01199450521"
    ],
    [],
    "Azienda Agricola Colle Sereno di Tommaso Fabbri"
  ],
  [
    "the company of a trading name that ends a line",
    ["metrica", "", "Invoice address", "Halden Rail Components Ltd", "Victoria Works, Derby DE1 2RU"],
    [
      "Metrica is a trading name of",
      "Severn Metrology Services plc",
      "Registered office: Bristol Road, Gloucester"
    ],
    "Severn Metrology Services plc"
  ],
  [
    "the company that owns a practice",
    ["Slieve Aughty Practice", "Prop. Ahearne Mullins Services Ltd", "Abbey Street, Loughrea, Co. Galway"],
    [],
    "Ahearne Mullins Services Ltd"
  ],
  [
    "a person with the name of the business behind a dash",
    ["Dodávateľ", "Ľubomír Hrčka – AUTOSERVIS", "Priemyselná 14, 971 01 Prievidza", "IČO: 47 228 316"],
    [],
    "Ľubomír Hrčka – AUTOSERVIS"
  ],
  [
    "a firm whose name has words that are nearly a label",
    ["Tri-Rivers Industrial Supply Co., Inc.", "1850 Neville Rd, Pittsburgh PA 15225", "Tel 412-555-0170"],
    [],
    "Tri-Rivers Industrial Supply Co., Inc."
  ],
  [
    "an Italian partnership with its partners, over two lines",
    [
      "Cedente/prestatore",
      "Denominazione: Falegnameria Bortolin S.n.c. di",
      "Bortolin Dario & C.",
      "Via dei Mestieri 27, 33070 Brugnera",
      "P.IVA 01588420937"
    ],
    [],
    "Falegnameria Bortolin S.n.c. di Bortolin Dario & C."
  ],
  [
    "a firm with its form in front and a small word inside, up to its capital",
    ["Le Grand Pavois", "9, quai des Chartrettes – 17000 La Rochelle"],
    [
      "",
      "SAS Hôtelière du Vieux Quai au capital de 150 000 € – RCS La Rochelle 512 774 093 – TVA FR 38 512 774 093"
    ],
    "SAS Hôtelière du Vieux Quai"
  ],
  [
    "the firm that a line of the foot says is registered, not the one with an address alone",
    ["The Harbour Hotel (Wells) Ltd", "14 Staithe Street", "Wells-next-the-Sea NR23 1AG"],
    [
      "",
      "",
      "",
      "Fenby Energy Supply Limited, registered in England and Wales 09440127. Registered office: Peterborough",
      "VAT registration GB 217 6630 84. Within eight weeks you may ask the Energy Ombudsman."
    ],
    "Fenby Energy Supply Limited"
  ],
  [
    "the firm in the columns of the foot, not the one with an address alone",
    [
      "                         Kundnr 61908",
      "Er referens",
      "Patrik Norling           Norrlands Villabygg AB",
      "Vår referens             Box 114",
      "Disk 2 / Camilla         712 22 Norrfors"
    ],
    [
      "Betalas till bankgiro 5188-4401. Ange OCR 31077254.",
      "Godsanmärkning ska göras inom 8 dagar.",
      "",
      "Norrforsens Trä & Bygg AB    Tel 0591-641 70    Bankgiro 5188-4401    Org.nr 556207-8814",
      "Bruksgatan 4",
      "712 34 Norrfors"
    ],
    "Norrforsens Trä & Bygg AB"
  ],
  [
    "the firm with its registration in one line, not the letters of its logo",
    [
      "KDD",
      "Karas Deep Drilling (Pty) Ltd Reg. 2011/104482/07 VAT No. 4480261733",
      "27 Donkin Street, Beaufort West, 6970 Tel 023 555 0118",
      "",
      "Klipfontein Boerdery BK",
      "PO Box 61"
    ],
    [],
    "Karas Deep Drilling (Pty) Ltd"
  ],
  [
    "the company with a number for a name that a trading name belongs to",
    [
      "Pépinière Rivière-aux-Saules",
      "2210, rang Saint-Édouard, Saint-Liboire (Québec) J0H 1R0",
      "Tél. : 450 555-0177"
    ],
    ["", "Pépinière Rivière-aux-Saules est un nom d'emprunt de 9318-4427 Québec inc."],
    "9318-4427 Québec inc."
  ],
  [
    "no firm below a form of address without a colon",
    ["rhemolit", "", "Firma", "Lackwerke Oberstein AG", "Postfach 11 40", "55732 Idar-Oberstein"],
    [
      "Lieferanschrift",
      "Lackwerke Oberstein AG",
      "Werk 2",
      "",
      "Rhemolit Chemie GmbH",
      "Hafenbogen 60",
      "68159 Mannheim",
      "Tel. 0621 7714-0"
    ],
    "Rhemolit Chemie GmbH"
  ]
] as const)("the seller is %s", ([, head, foot, name]) =>
  Effect.gen(function* () {
    const { vendorName } = yield* extractByRules(printed([...head, ...body, ...foot]), {
      fields,
      relations: []
    })
    expect(vendorName?.value).toBe(name)
  })
)
