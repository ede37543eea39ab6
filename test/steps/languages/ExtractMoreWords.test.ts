import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

/** Invoices in Albanian, Macedonian, Uzbek and Indonesian. */
const invoices = {
  ALL: [
    "Drita e Re Sh.p.k",
    "Rruga e Kavajës 12, Tiranë",
    "NIPT: L91234567A",
    "Faturë tatimore",
    "Numri i faturës: 77/2025",
    "Data e lëshimit: 03.03.2025",
    "Afati i pagesës: 18.03.2025",
    "Përshkrimi      Sasia   Çmimi     Vlera",
    "Dritare druri      4   5.000,00   20.000,00",
    "Vlera pa TVSH   20.000,00",
    "TVSH 20%   4.000,00",
    "Totali me TVSH   24.000,00 Lekë"
  ],
  MKD: [
    "Зелена Градба ДООЕЛ",
    "ул. Партизанска 12, Скопје",
    "ЕДБ: 4030999123456",
    "Фактура",
    "Број на фактура: 77/2025",
    "Датум на издавање: 03.03.2025",
    "Рок на плаќање: 18.03.2025",
    "Опис      Количина   Цена     Износ",
    "Прозорец      4   5.000,00   20.000,00",
    "Износ без ДДВ   20.000,00",
    "ДДВ 20%   4.000,00",
    "Вкупно за плаќање   24.000,00 ден."
  ],
  UZS: [
    "Yashil Bogʻ MChJ",
    "Amir Temur koʻchasi 12, Toshkent",
    "STIR: 301234567",
    "Hisobvaraq-faktura",
    "Hisobvaraq-faktura raqami: 77/2025",
    "Hujjat sanasi: 03.03.2025",
    "Toʻlov muddati: 18.03.2025",
    "Mahsulot nomi      Miqdori   Narxi     Summa",
    "Eshik      4   5 000,00   20 000,00",
    "QQSsiz jami   20 000,00",
    "QQS summasi 20%   4 000,00",
    "Toʻlanadigan summa   24 000,00 soʻm"
  ],
  IDR: [
    "PT Cahaya Baru",
    "Jl. Merdeka 12, Bandung",
    "NPWP: 01.234.567.8-901.000",
    "Faktur",
    "Nomor Faktur: 77/2025",
    "Tanggal Faktur: 03.03.2025",
    "Jatuh Tempo: 18.03.2025",
    "Keterangan      Kuantitas   Harga     Jumlah Harga",
    "Jendela      4   5.000,00   20.000,00",
    "Dasar Pengenaan Pajak   20.000,00",
    "PPN 20%   4.000,00",
    "Total Tagihan   Rp 24.000,00"
  ]
}

it.effect.each(Object.entries(invoices))(
  "an invoice is read in a language that is one file of the lexicon, in its currency: %s",
  ([currency, lines]) =>
    Effect.gen(function* () {
      assert.deepInclude((yield* readPrinted(lines)).values, {
        documentType: "invoice",
        invoiceNumber: "77/2025",
        invoiceDate: "2025-03-03",
        dueDate: "2025-03-18",
        vendorName: lines[0],
        currency,
        subtotal: 20_000,
        taxAmount: 4_000,
        totalAmount: 24_000
      })
    })
)
