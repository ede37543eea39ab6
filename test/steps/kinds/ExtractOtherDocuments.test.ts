import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted as read } from "../pages/ReadPrinted.ts"

describe("amounts and dates of something else", () => {
  it.effect("two lines and their sum are no net amount, tax and total", () =>
    Effect.gen(function* () {
      const { values } = yield* read([
        "Lucía Ferrando Arquitectura          Factura A/2025/44",
        "",
        "Concepto                                     Importe",
        "Proyecto básico, 2.º plazo                  3.000,00",
        "Visitas de obra (4 x 150,00)                  600,00",
        "",
        "Base imponible                            3.600,00 €",
        "+ IVA 21 %                                  756,00 €",
        "− Retención IRPF 15 %                      −540,00 €",
        "Total a percibir                          3.816,00 €"
      ])
      assert.deepStrictEqual(
        [values["subtotal"], values["taxAmount"], values["totalAmount"]],
        [3600, 756, 3816]
      )
    })
  )

  it.each([
    ["Objednávka 77/2025 ze dne 10.06.2025", "Datum vystavení: 16.06.2025", "2025-06-16"],
    ["Your order 118/2025 of 2 June 2025", "Invoice date: 16 June 2025", "2025-06-16"],
    ["Invoice no. 118/2025 of 2 June 2025", "Order 77 of 1 May 2025", "2025-06-02"]
  ])("%s, %s", (first, second, iso) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { values } = yield* read(["Bergmann Ltd", first, second, "Due date: 30.06.2025"])
        assert.strictEqual(values["invoiceDate"], iso)
      })
    )
  )

  it.effect("goods by the kilogram are no limited partnership", () =>
    Effect.gen(function* () {
      const { values } = yield* read(
        [
          "Lantboden i Mörsil",
          "2025-02-01 12:08",
          "Hushållsost 1,1 kg     71,50",
          "Att betala             71,50"
        ],
        { merchantName: { preset: "receipt.merchantName" } }
      )
      assert.strictEqual(values["merchantName"], "Lantboden i Mörsil")
    })
  )

  it.effect("a company with the form of address behind it is the customer", () =>
    Effect.gen(function* () {
      const { values } = yield* read([
        "東海運輸株式会社 御中",
        "請求書",
        "",
        "株式会社みどり製作所",
        "登録番号 T1180001122077"
      ])
      assert.notInclude(String(values["vendorName"]), "東海運輸")
    })
  )

  it.effect("the word for a name is no part of it", () =>
    Effect.gen(function* () {
      const { values } = yield* read([
        "PRESTADOR DE SERVIÇOS",
        "Nome/Razão Social: Sabiá Consultoria em Dados Ltda",
        "CNPJ: 11.882.207/0001-71",
        "",
        "TOMADOR DE SERVIÇOS",
        "Nome/Razão Social: Usina Três Barras S.A."
      ])
      assert.strictEqual(values["vendorName"], "Sabiá Consultoria em Dados Ltda")
    })
  )

  it.each([
    ["JOD", 750, 120, 870],
    ["CLP", 750_000, 120_000, 870_000]
  ])("amounts with three figures behind their point, in %s", (currency, subtotal, tax, total) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { values } = yield* read([
          "Jasmine Furniture                 INVOICE 2025-118",
          "Subtotal            750.000",
          "VAT 16%             120.000",
          `Total ${currency}           870.000`
        ])
        assert.deepStrictEqual(
          [values["subtotal"], values["taxAmount"], values["totalAmount"]],
          [subtotal, tax, total]
        )
      })
    )
  )

  it.effect("labels of a party in two languages are labels", () =>
    Effect.gen(function* () {
      const { values } = yield* read([
        "FAKTURA / INVOICE EX/44/2025",
        "Nabywca / Buyer                  Sprzedawca / Seller",
        "Galerie Lichtblick GmbH          Szkło Artystyczne Krosno",
        "Sendlinger Str. 77, München      ul. Hutnicza 18, Krosno"
      ])
      assert.strictEqual(values["vendorName"], "Szkło Artystyczne Krosno")
    })
  )
})
