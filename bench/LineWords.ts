/** The words of an invoice in one language. */
export interface Words extends Readonly<
  Record<
    "invoice" | "date" | "customer" | "thanks" | "subtotal" | "tax" | "total" | "footer" | "group" | "note",
    string
  >
> {
  readonly heads: Readonly<
    Record<
      "pos" | "description" | "quantity" | "unit" | "unitPrice" | "tax" | "amount",
      ReadonlyArray<string>
    >
  >
}

export type ColumnName = keyof Words["heads"] | "code"

/** The words of an invoice by language. */
export const words = {
  en: {
    invoice: "Invoice",
    date: "Invoice date",
    customer: "Customer no.",
    thanks: "Thank you for your order. We invoice as follows:",
    subtotal: "Subtotal",
    tax: "VAT",
    total: "Total due",
    footer: "Payable within 14 days. Bank: DE02 1203 0000 0000 2020 51",
    group: "Section",
    note: "Serial number on request",
    heads: {
      pos: ["#", "No.", "Line"],
      description: ["Description", "Item", "Product"],
      quantity: ["Qty", "Quantity"],
      unit: ["Unit", "UoM"],
      unitPrice: ["Unit price", "Price", "Rate"],
      tax: ["VAT", "Tax rate"],
      amount: ["Amount", "Line total", "Total"]
    }
  },
  de: {
    invoice: "Rechnung",
    date: "Rechnungsdatum",
    customer: "Kundennr.",
    thanks: "Wir danken für Ihren Auftrag und berechnen Ihnen:",
    subtotal: "Nettobetrag",
    tax: "MwSt",
    total: "Rechnungsbetrag",
    footer: "Zahlbar innerhalb von 14 Tagen ohne Abzug.",
    group: "Abschnitt",
    note: "Seriennummer auf Anfrage",
    heads: {
      pos: ["Pos.", "Pos", "Nr."],
      description: ["Bezeichnung", "Beschreibung", "Artikel"],
      quantity: ["Menge", "Anzahl"],
      unit: ["Einheit", "ME"],
      unitPrice: ["Einzelpreis", "E-Preis", "Preis"],
      tax: ["MwSt", "USt %"],
      amount: ["Gesamt", "Betrag", "Gesamtpreis"]
    }
  },
  fr: {
    invoice: "Facture",
    date: "Date de facture",
    customer: "N° client",
    thanks: "Nous vous remercions de votre commande.",
    subtotal: "Total HT",
    tax: "TVA",
    total: "Total TTC",
    footer: "Paiement à 30 jours.",
    group: "Lot",
    note: "Numéro de série sur demande",
    heads: {
      pos: ["N°"],
      description: ["Désignation", "Libellé", "Article"],
      quantity: ["Qté", "Quantité"],
      unit: ["Unité"],
      unitPrice: ["Prix unitaire", "P.U. HT", "PU HT"],
      tax: ["TVA"],
      amount: ["Montant HT", "Total HT", "Montant"]
    }
  },
  es: {
    invoice: "Factura",
    date: "Fecha de factura",
    customer: "N.º cliente",
    thanks: "Gracias por su pedido.",
    subtotal: "Base imponible",
    tax: "IVA",
    total: "Total factura",
    footer: "Pago a 30 días.",
    group: "Grupo",
    note: "Número de serie a petición",
    heads: {
      pos: ["N.º"],
      description: ["Descripción", "Concepto"],
      quantity: ["Cantidad", "Cant."],
      unit: ["Ud."],
      unitPrice: ["Precio", "Precio unitario"],
      tax: ["IVA"],
      amount: ["Importe", "Total"]
    }
  },
  nl: {
    invoice: "Factuur",
    date: "Factuurdatum",
    customer: "Klantnr.",
    thanks: "Dank voor uw bestelling.",
    subtotal: "Subtotaal",
    tax: "BTW",
    total: "Totaal te betalen",
    footer: "Betaling binnen 14 dagen.",
    group: "Groep",
    note: "Serienummer op aanvraag",
    heads: {
      pos: ["#"],
      description: ["Omschrijving", "Artikel"],
      quantity: ["Aantal"],
      unit: ["Eenh."],
      unitPrice: ["Prijs", "Stukprijs"],
      tax: ["BTW"],
      amount: ["Bedrag", "Totaal"]
    }
  }
} satisfies Record<string, Words>
