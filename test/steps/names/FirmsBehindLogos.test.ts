import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Box } from "../../../src/domain/DocumentIR.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("vendorName", { preset: "invoice.vendorName" }),
  fieldOf("number", { preset: "invoice.number" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const enlarged = (box: Box): Box => ({ ...box, y: box.y - 18, h: 28 })

/** The lines of a page whose first is a logo in large letters. */
const withLogo = (lines: ReadonlyArray<string>) => {
  const document = printed(["", "", ...lines])
  const pages = document.pages.map((page) => ({
    ...page,
    lines: page.lines.map((line, at) =>
      at === 2 || line.text === "DU LITTORAL" || line.text === "NOTE"
        ? {
            ...line,
            bbox: enlarged(line.bbox),
            words: (line.words ?? []).map((word) => Object.assign({}, word, { bbox: enlarged(word.bbox) }))
          }
        : line
    )
  }))
  return { ...document, pages }
}

const body = [
  "",
  "Bill to:",
  "Dover Trading LLC",
  "4 Harbour Road, Dover",
  "",
  "Invoice number: 2025-118     Date: 12 March 2025",
  "Consulting                              400.00",
  "Total                              EUR 400.00",
  "",
  "Payment within 14 days.",
  "",
  "Open on weekdays.",
  ""
]

it.effect.each([
  [
    ["Delivery Service Invoice"],
    "Please detach and return with payment to: Meridian Parcel Service, Inc.",
    "Meridian Parcel Service, Inc."
  ],
  [
    ["Molloy Hanratty & Co.", "Emmet House, Bridge Street 4, Mullingar", "Tel. 044 555 0134"],
    "Molloy Hanratty & Co. is a business name of Molloy Hanratty Accountancy Services Limited. Registered in Ireland",
    "Molloy Hanratty Accountancy Services Limited"
  ],
  [
    ["BESKID CARGO", "", "Przedsiębiorstwo Spedycyjne Beskid Cargo Sp. z o.o. Sp. k.", "ul. Bestwińska 105"],
    "Dziękujemy",
    "Przedsiębiorstwo Spedycyjne Beskid Cargo Sp. z o.o. Sp. k."
  ],
  [
    ["mot·à·mot", "Services linguistiques Larivière inc.", "5605, avenue de Gaspé, Montréal"],
    "Merci de votre confiance",
    "Services linguistiques Larivière inc."
  ],
  [
    ["ÉCLAIR-EXPRESS", "9187-4420 Québec inc.", "3775, boul. Saint-Martin Ouest", "Laval (Québec) H7T 1B8"],
    "Merci de votre confiance",
    "9187-4420 Québec inc."
  ],
  [
    [
      "",
      "Location – Vente – Entretien",
      "SARL GUIHENEUC LOCATION",
      "8 rue des Charrons",
      "SIRET 482 917 336"
    ],
    "Merci de votre confiance",
    "SARL GUIHENEUC LOCATION"
  ],
  [
    [
      "ADJUSTMENT",
      "NOTE",
      "",
      "",
      "Murray Box & Carton Pty Ltd",
      "trading as MB Packaging",
      "Lot 7 Union Road"
    ],
    "This adjustment note reduces the amount payable",
    "Murray Box & Carton Pty Ltd"
  ],
  [
    ["Bergslagens El", "", "Lager Norra Bantorget"],
    "Bergslagens El & Automation AB 0240-66 17 40",
    "Bergslagens El & Automation AB"
  ],
  [
    [
      "TRAUNTRANS",
      "",
      "Trauntrans Internationale Spedition Gesellschaft m.b.H.",
      "Hafenstraße 70, 4020 Linz"
    ],
    "Tel. +43 732 7790-0",
    "Trauntrans Internationale Spedition Gesellschaft m.b.H."
  ],
  [
    ["El Yunque de Oro ⚒", "MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV", "Calle Mayor 4, Toluca"],
    "A la orden de MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV",
    "MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV"
  ],
  [
    ["SARL COULEURS", "DU LITTORAL", "12 rue du Port, 17000 La Rochelle"],
    "SARL COULEURS DU LITTORAL - SIRET 412 556 987 00021",
    "SARL COULEURS DU LITTORAL"
  ],
  [
    ["BORÉAL DÉNEIGEMENT", "une division de Transports Larose inc.", "1450, rang Saint-Joseph"],
    "Merci de votre confiance",
    "Transports Larose inc."
  ],
  [
    [
      "Pluk & Peper",
      "",
      "Pluk & Peper Catering",
      "Havenstraat 7b",
      "2871 CK Schoonhoven",
      "Tel. 0182 555 014"
    ],
    "Bedankt",
    "Pluk & Peper Catering"
  ],
  [
    ["Les Tables d'Adèle"],
    "ADR RÉCEPTION – SARL au capital de 15 000 € – RCS Créteil 518 447 206",
    "ADR RÉCEPTION"
  ],
  [
    ["Imprimerie des Trois", "Ponts", "", "ZA du Moulin Neuf, 45500 GIEN"],
    "TROIS PONTS IMPRESSIONS SARL au capital de 38 200 € – RCS Orléans 412 887 053",
    "TROIS PONTS IMPRESSIONS SARL"
  ],
  [
    [
      "KASZTANOWY DWÓR",
      "",
      "Wystawca:",
      "Sudety Resort Spółka z ograniczoną",
      "odpowiedzialnością",
      "ul. Kolejowa 14, 58-310 Szczawno",
      "NIP: 8862994410"
    ],
    "Dziękujemy",
    "Sudety Resort Spółka z ograniczoną odpowiedzialnością"
  ],
  [
    [
      "karapak",
      "",
      "KARADENİZ AMBALAJ TİCARET LİMİTED ŞİRKETİ",
      "Osman Yılmaz Mah. 118",
      "41400 Gebze",
      "VKN: 5210447718"
    ],
    "Sayın",
    "KARADENİZ AMBALAJ TİCARET LİMİTED ŞİRKETİ"
  ],
  [
    [
      "VDB forwarding",
      "douane en transport",
      "",
      "",
      "Van den Bosch Expeditie NV",
      "Noorderlaan 147",
      "2030 Antwerpen",
      "BTW BE 0447.218.836"
    ],
    "Bedankt",
    "Van den Bosch Expeditie NV"
  ],
  [
    ["Nordanvind", "", "852 30 Sundsvall", "Nordanvind Redovisning i", "Medelpad AB", "Storgatan 44"],
    "Org.nr 556911-4027",
    "Nordanvind Redovisning i Medelpad AB"
  ],
  [["puhasmaja"], "Emajõe Heakord OÜ     Registrikood 12774310     Tel 5330 8127", "Emajõe Heakord OÜ"],
  [
    ["TM Chauffage", "Plomberie", "23 chemin des Vergers", "38500 Voiron"],
    "Thierry Mauvoisin EI – SIRET 512 884 309 00027 – RM 38",
    "Thierry Mauvoisin EI"
  ],
  [
    ["STUDIO LEGALE", "40123 Bologna, via Farini 11", "", "Avv. Ilaria Castellani"],
    "Avv. Ilaria Castellani – P. IVA 02914470378 – iscritta all'Ordine",
    "Avv. Ilaria Castellani"
  ],
  [
    ["zb : a", "", "c/o Treuhand Odermatt AG", "Alpenstrasse 12", "6300 Zug"],
    "Zgraggen Bühler Architekten AG dipl. Arch. ETH SIA BSA     CHE-112.847.336 MWST",
    "Zgraggen Bühler Architekten AG"
  ]
] as const)("the seller is the firm behind the logo: %s", ([head, foot, name]) =>
  Effect.gen(function* () {
    const { vendorName } = yield* extractByRules(withLogo([...head, ...body, foot]), {
      fields,
      relations: []
    })
    expect(vendorName?.value).toBe(name)
  })
)

const other = [
  "Faktura nr. 2025-118     Dato: 12.03.2025",
  "Arbeid                              400.00",
  "Å betale                        NOK 400.00",
  ""
]

it.effect.each([
  [
    [
      "Autohuset Skjern A/S",
      "Ringvejen 58",
      "6900 Skjern",
      "CVR 30771842",
      "",
      "",
      "Vestjysk Profiltøj ApS",
      "Håndværkervej 3, 6950 Ringkøbing",
      "CVR-nr. 34 18 77 05 · Tlf. 97 32 55 18",
      "",
      ...other
    ],
    "Vestjysk Profiltøj ApS"
  ],
  [
    [
      "ФАКТУРА № 0000002731",
      "Доставчик: ЕТ „Васил Тодоров – Мотор“",
      "Адрес: Пловдив, ул. Лагер 42",
      "Сума за плащане     848.28 лв.",
      ""
    ],
    "ЕТ „Васил Тодоров – Мотор“"
  ],
  [
    [
      "PIEDMONT PROVISIONS                  INVOICE 77182044",
      "                                     Date 05/21/26",
      "A division of Piedmont Foodservice Distributors, LLC",
      "447 Distribution Way, Greer SC 29651",
      "Total     848.28",
      ""
    ],
    "Piedmont Foodservice Distributors, LLC"
  ]
] as const)("the seller is not the customer, whatever is above: %s", ([lines, name]) =>
  Effect.gen(function* () {
    const { vendorName } = yield* extractByRules(printed([...lines]), { fields, relations: [] })
    expect(vendorName?.value).toBe(name)
  })
)
