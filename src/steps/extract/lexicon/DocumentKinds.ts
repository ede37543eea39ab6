/** What a document can be; `other` is what none of them fits. */
export const documentKinds = [
  "invoice",
  "proforma",
  "credit-note",
  "receipt",
  "purchase-order",
  "order-confirmation",
  "delivery-note",
  "statement",
  "quote",
  "reminder",
  "utility-bill",
  "payslip",
  "contract"
] as const

export type DocumentKind = (typeof documentKinds)[number]
