import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { invoiceFields } from "../fixtures/InvoiceFields.ts"
import { printed } from "./PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const letters = {
  "a place before the date": [
    "Weingut Hofer                     Rechnung 2025-R-0318",
    "Kellergasse 9                     Retz, 21. Oktober 2025",
    "2070 Retz                         Lieferung: 20. Oktober 2025",
    "Wein  507,30",
    "20 % Umsatzsteuer 101,46",
    "Gesamtbetrag EUR 608,76"
  ],
  "the end of a week": [
    "Northgate Staffing, Inc.",
    "BILL TO                           Invoice # TS-118-2207",
    "Calumet Cold Storage LLC          Week ending 10/19/2025",
    "                                  Invoice date 10/21/2025",
    "Invoice total $5,310.00"
  ],
  "a period": [
    "Energía Clara",
    "Nº factura: PZZ501N0044871",
    "Fecha emisión factura: 21 de octubre de 2025",
    "Periodo de facturación: del 08/09/2025 a 08/10/2025",
    "TOTAL FACTURA 58,56 €"
  ],
  "the time of the work": [
    "No. K25-1188",
    "令和7年10月21日",
    "御 請 求 書",
    "工期：令和7年9月1日～9月26日",
    "合計 946,000 円"
  ]
}

it.effect.each(Object.entries(letters))("the date of an invoice, and not %s", ([, lines]) =>
  Effect.gen(function* () {
    const found = yield* extractByRules(printed(lines), { fields, relations: [] })
    expect(found["invoiceDate"]?.value).toBe("2025-10-21")
  })
)

const due = [
  ["ΤΙΜΟΛΟΓΙΟ", "Ημερομηνία: 12/05/2025", "Ημ. λήξης: 11/06/2025"],
  ["FACTURE", "Date de facture : 12/05/2025", "Date éch. : 11/06/2025"],
  ["FATURA", "Fatura Tarihi: 12/05/2025", "Son Öd. Tarihi: 11/06/2025"],
  ["FAKTURA", "Fakturadatum: 2025-05-12", "Förf. datum: 2025-06-11"]
]

it.effect.each(due)("a shortened label of the day to pay by: %s, %s, %s", (lines) =>
  Effect.gen(function* () {
    const found = yield* extractByRules(printed(lines), { fields, relations: [] })
    expect(found["dueDate"]?.value).toBe("2025-06-11")
  })
)

const currencies = [
  ["CNY", ["发票", "杭州西湖茶叶有限公司", "开票日期：2025年7月8日", "税额 ¥208.00", "价税合计 ¥1808.00"]],
  ["JPY", ["請求書", "株式会社みどり", "請求日：2025年7月8日", "消費税 ¥208", "ご請求金額 ¥1,808"]],
  ["TWD", ["統一發票", "統一編號 12345678", "日期 2025-07-08", "營業稅 NT$208", "總計 NT$1,808"]],
  [
    "SAR",
    [
      "فاتورة",
      "رقم الفاتورة 8812",
      "التاريخ 12/03/2025",
      "الضريبة 135.00",
      "المبلغ الإجمالي 1,035.00 ريال سعودي"
    ]
  ],
  [
    "CZK",
    ["FAKTURA", "Datum vystavení: 12. 5. 2025", "DPH 21 % 210,00", "Celkem k úhradě 1 210,00 (česká koruna)"]
  ]
] as const

it.effect.each(currencies)(
  "the currency %s by its sign or name in the language of the page",
  ([code, lines]) =>
    Effect.gen(function* () {
      const found = yield* extractByRules(printed(lines), { fields, relations: [] })
      expect(found["currency"]?.value).toBe(code)
    })
)
