import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { blockFeatures } from "../../../src/extraction/candidates/BlockRoles.ts"
import { blocksOf } from "../../../src/extraction/layout/PageBlocks.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { nameWords } from "../../../src/extraction/lexicon/NameWords.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { nameLengths } from "../../../src/extraction/names/NameForms.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { foundOn, readPrinted } from "../pages/ReadPrinted.ts"

type Lines = ReadonlyArray<Readonly<Record<number, string>>>

const sellerOn = (lines: Lines) =>
  Effect.map(foundOn(placedPage(linesOf(40, 14, lines)), "invoice.vendorName"), (seller) => seller?.value)

describe("a legal form", () => {
  it.effect.each<[string, string, Lines]>([
    [
      "behind a gap",
      "TASMAN RURAL SUPPLIES LTD",
      [{ 40: "TASMAN RURAL SUPPLIES", 166: "LTD", 420: "TAX INVOICE" }, { 40: "PO Box 14 Motueka 7143" }]
    ],
    [
      "in front of the name",
      "S.C. CARBODIST S.R.L.",
      [
        { 40: "Furnizor: S.C. CARBODIST S.R.L.", 420: "FACTURA" },
        { 40: "CIF: RO28811042" },
        { 40: "Banca: Banca Transilvania" }
      ]
    ],
    ...["株式会社 北浜食品", "株式会社北浜食品"].map((name): [string, string, Lines] => [
      "in front of the name",
      name,
      [
        { 40: "居酒屋 はなび 御中", 420: "請求書" },
        { 40: "下記の通りご請求申し上げます。" },
        { 330: name },
        { 330: "〒541-0041 大阪市中央区北浜2-3-8" }
      ]
    ]),
    ...[
      ["Körfez Doğal Ürünler Sanayi ve Ticaret", "Limited Şirketi"],
      ["AUTOTRANSPORTES QUINTANILLA", "SA DE CV"],
      ["AUTOTRANSPORTES QUINTANILLA", "S.A. de C.V."]
    ].map(([above = "", below = ""]): [string, string, Lines] => [
      "below it, whole or in part",
      `${above} ${below}`,
      [{ 40: above }, { 40: below }, { 40: "Carretera 57, 76246 El Marqués" }]
    ])
  ])("is a part of the name %s: %s", ([, name, lines]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* sellerOn(lines), name)
    })
  )

  it.effect("is none alone, nor before a county", () =>
    Effect.gen(function* () {
      const alone = [{ 40: "LTD", 420: "TAX INVOICE" }, { 40: "PO Box 14 Motueka 7143" }]
      assert.notStrictEqual(yield* sellerOn(alone), "LTD")
      const address = "The Old Creamery, Ballyvaughan, Co. Clare H91 X4P2   VAT IE 3344556QA"
      const county = [{ 40: "Ballyvaughan Bee Supplies", 420: "SALES INVOICE" }, { 40: address }]
      assert.strictEqual(yield* sellerOn(county), "Ballyvaughan Bee Supplies")
    })
  )

  it("is no heading of a column; a close corporation has one", () => {
    const { endsInForm } = nameWords(shippedLexicon())
    assert.deepStrictEqual(
      ["Consignee Buyer Sl", "Vinos del Sur S.L.", "Vinos del Sur SL", "Kalahari Solar CC"].map(endsInForm),
      [false, true, true, true]
    )
  })

  const forms = `
    GmbH; GmbH & Co. KG; AG & Co. KGaA; UG (haftungsbeschränkt); e.K.; OHG; B.V.; N.V.; SARL; S.A.;
    S.A.S.; EURL; S.L.U.; Lda.; Ltda.; S.A. de C.V.; S. de R.L. de C.V.; A/S; ApS; AB; Sp. z o.o.;
    Sp. z o.o. Sp. k.; S.r.l.; S.r.l. Unipersonale; S.p.A.; d.o.o.; s.r.o.; a.s.; Inc.; Corp.;
    Co., Ltd.; Pte. Ltd.; Pvt. Ltd.; Pty. Ltd.; Pty Ltd; Sdn. Bhd.; PLC; LLP; Oy; AS; Kft.; Zrt.;
    Ltd. Şti.; San. ve Tic. A.Ş.; SRL; SIA; UAB; Α.Ε.; ООО`
    .split(";")
    .map((form) => form.trim())
  const pages = [
    ["alone in a line", (name: string) => name],
    ["before an address", (name: string) => `${name} · Hauptstr. 5 · 12345 Berlin`],
    ["behind a label", (name: string) => `Seller: ${name}`]
  ] as const

  it.effect.each(pages)("of any country is a part of the name: %s", ([, print]) =>
    Effect.gen(function* () {
      const names = forms.map((form) => `Brackwede ${form}`)
      const found = yield* Effect.forEach(names, (name) =>
        sellerOn([{ 40: print(name), 420: "INVOICE" }, { 40: "PO Box 14 Motueka 7143" }])
      )
      assert.deepStrictEqual(found, names)
    })
  )
})

const sheet = (head: ReadonlyArray<string>, foot: ReadonlyArray<string>) => [
  ...head,
  "",
  "Invoice number: 2025-118     Date: 12 March 2025",
  "Consulting                              400.00",
  "Total                              EUR 400.00",
  "",
  "Payment within 14 days.",
  "",
  "Late payments bear interest.",
  "Open on weekdays.",
  "Closed in August.",
  "",
  ...foot
]
const billed = (head: string) => [
  head,
  "12 Mill Lane, 4020 Linz",
  "",
  "Bill to:",
  "Dover Trading LLC",
  "4 Harbour Road, Dover"
]

it.effect.each<[ReadonlyArray<string>, string, string]>([
  [billed("Larch Cloud, Inc. Invoice"), "Thank you", "Larch Cloud, Inc."],
  [billed("Krenn Dichtungen GmbH & Co. KG"), "Thank you", "Krenn Dichtungen GmbH & Co. KG"],
  [billed("Doruk Teknik Ltd. Şti."), "Thank you", "Doruk Teknik Ltd. Şti."],
  [billed("ACEROS DEL NORTE, S.A. DE C.V."), "Gracias", "ACEROS DEL NORTE, S.A. DE C.V."],
  [billed("Barrow Joinery Ltd. Registered in Wales 0412"), "Thank you", "Barrow Joinery Ltd"],
  [billed("Krenn Dichtungen GmbH. Sitz der Gesellschaft: Linz"), "Danke", "Krenn Dichtungen GmbH"],
  [billed("Feinkost Moosbrugger e.U., Inhaber Martin Moosbrugger"), "Danke", "Feinkost Moosbrugger e.U."],
  [billed("HOTEL MIRAMONTE GmbH ****"), "Danke", "HOTEL MIRAMONTE GmbH"],
  [
    billed("Krenn Dichtungen GmbH"),
    "Krenn Dichtungen GmbH · IBAN DE12 5001 0517 0648 4898 90",
    "Krenn Dichtungen GmbH"
  ],
  [
    billed("Menuiserie Thibault"),
    "SARL Menuiserie Thibault - SIRET 412 556 987 00021",
    "SARL Menuiserie Thibault"
  ],
  [
    billed("NETTOLYA"),
    "NETTOLYA SERVICES SARL au capital de 8 000 € SIRET 412 556 987 00021",
    "NETTOLYA SERVICES SARL"
  ],
  [
    ["Tri-Rivers Industrial Supply Co., Inc.", "1850 Neville Rd, Pittsburgh PA 15225", "Tel 412-555-0170"],
    "",
    "Tri-Rivers Industrial Supply Co., Inc."
  ],
  [
    [
      "Holzbau Zurbriggen GmbH                    Rüegsegger Treuhand AG",
      "Wylergasse 3                               Marktgasse 21",
      "3714 Frutigen                              3600 Thun",
      "                                           Tel. 033 244 18 00",
      "                                           CHE-108.447.231 MWST"
    ],
    "Zahlbar an Rüegsegger Treuhand AG    Zahlbar durch Holzbau Zurbriggen GmbH",
    "Rüegsegger Treuhand AG"
  ]
])("the name of a seller is whole, and no more than that: %s, %s", ([head, foot, name]) =>
  Effect.gen(function* () {
    const { values } = yield* readPrinted(sheet(head, [foot]))
    expect(values["vendorName"]).toBe(name)
  })
)

it.effect(
  "a Japanese company above its address and registration is the seller, one with 御中 the customer",
  () =>
    Effect.gen(function* () {
      const seller = yield* sellerOn([
        { 240: "請求書" },
        { 40: "名古屋市中区栄3-14-22", 380: "発行日 令和7年10月31日" },
        { 40: "東海ソリューション株式会社 御中", 380: "株式会社みどり茶房", 520: "茶" },
        { 380: "〒461-0004 名古屋市東区葵1丁目9-5" },
        { 380: "登録番号 T1011101048273" },
        { 40: "合計", 380: "￥77,568" }
      ])
      expect(seller).toBe("株式会社みどり茶房")
    })
)

it.effect.each([
  ["Datos del cliente", "Nombre: VIDRIOS Y CRISTALES DEL BAJIO", "RFC: VCB150618QN3"],
  ["Eheleute", "Sabine Oelsnitzer", "Am Schafbach 9", "08626 Adorf"],
  ["Herrn", "Sabine Oelsnitzer", "Am Schafbach 9", "08626 Adorf"],
  ["Firma", "Sabine Oelsnitzer", "Am Schafbach 9", "08626 Adorf"]
])("the name of a customer is behind the word for a name, or below the form of address: %s, %s", (lines) =>
  Effect.gen(function* () {
    const rows = ["Tischlerei Zschunke · Klingenthaler Straße 27 · 08258 Markneukirchen", ...lines]
    const page = placedPage(
      linesOf(
        40,
        14,
        rows.map((row) => ({ 40: row }))
      )
    )
    const customer = yield* foundOn(page, "invoice.customerName")
    expect(customer?.value).toBe(lines[1]?.replace("Nombre: ", ""))
  })
)

it.effect("a sole trader may name the owner as others name whom a letter is for", () =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(40, 14, [
        { 40: "Fjordens Vinduespolering" },
        { 40: "v/ Mads Toft" },
        { 40: "Strandvejen 6, 4040 Jyllinge" },
        { 40: "Tlf. 55 50 12 18" }
      ])
    )
    const reading = yield* readDocument(page, [], undefined)
    const [block] = blocksOf(reading, 0).all
    if (block === undefined) return assert.fail("nothing was read")
    assert.strictEqual(blockFeatures(reading, block).customer.honorific, 0)
  })
)

it.effect("a note in brackets after the title is not the seller", () =>
  Effect.gen(function* () {
    const seller = yield* sellerOn([
      { 180: "TAX INVOICE", 260: "(ORIGINAL FOR RECIPIENT)" },
      { 40: "Malabar Spice Traders" },
      { 40: "12/44 Jew Town Road, Kochi 682002", 320: "Invoice No. MST/0418" },
      { 40: "State Name: Kerala", 320: "Dated 7-Nov-25" },
      { 40: "Total", 400: "36,068.00" }
    ])
    assert.strictEqual(seller, "Malabar Spice Traders")
  })
)

it("a word for a shop counts inside a longer run of letters in scripts without spaces", () => {
  const { isShop } = nameWords(shippedLexicon())
  const names = ["福满家超市", "ร้านอาหารริมน้ำ", "달빛커피 전주한옥점", "Ohio Barbering", "Corner Bakery"]
  assert.deepStrictEqual(names.map(isShop), [true, true, true, false, true])
})

it("a logo may have the first words of a name", () => {
  const names = [
    "Kalahari Solar",
    "Kalahari Solar Supplies Namibia",
    "Etosha Bush Lodge",
    "Poggio Sereno",
    "Azienda Agricola Poggio Sereno di Landi Chiara"
  ].map((value, row) => ({
    span: { page: 0, row, from: 0, to: 1 },
    bbox: { x: 10, y: 20 * row, w: 100, h: 10 },
    text: value,
    value,
    quality: 1
  }))
  const lengths = nameLengths(shippedLexicon(), names)
  assert.deepStrictEqual(
    names.map((name) => lengths(name)["partOfLonger"]),
    [1, 0, 0, 1, 0]
  )
})
