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

/** The kinds that a lexicon has words for: those of `other` head documents that are none of the kinds, such as remittance advices. */
export const kindsWithWords = [...documentKinds, "other"] as const

export type KindWithWords = (typeof kindsWithWords)[number]
