import type { Chance } from "./Chance.ts"

/** The choices that make a family of layouts: documents of one family look alike, whatever they say. */
export interface Style {
  readonly narrow: boolean
  readonly sellerAt: "left" | "right" | "center" | "labelled" | "footer"
  readonly sellerSize: number
  readonly wrapsSeller: boolean
  readonly slogan: boolean
  readonly senderLine: boolean
  readonly buyerAt: "left" | "right" | "labelled" | "pair"
  readonly titleAt: "left" | "right" | "center" | "none" | "numbered" | "sentence"
  readonly titleSize: number
  readonly meta: "rows" | "colons" | "above" | "grid" | "sentence" | "far"
  readonly metaAt: "left" | "right"
  readonly strangers: number
  readonly dueIn: "meta" | "sentence" | "payment" | "none"
  readonly columns: ReadonlyArray<"position" | "code" | "text" | "quantity" | "price" | "rate" | "amount">
  readonly ruled: boolean
  readonly headings: boolean
  readonly totals: "rows" | "boxes" | "table" | "far" | "left"
  readonly breakdown: "none" | "before" | "after"
  readonly currencyIn: "label" | "before" | "after" | "total" | "code" | "meta"
  readonly colon: string
  readonly capitals: boolean
  readonly footer: boolean
  readonly noise: number
  readonly rowHeight: number
  readonly size: number
  readonly bank: boolean
  readonly prose: boolean
  readonly taxFree: boolean
  readonly balance: boolean
  /** A credit note, whose amounts have a minus. */
  readonly credit: boolean
  /** The head shows a short name only; the whole one is in the footer, with what comes behind it. */
  readonly brand: boolean
  /** What is above the buyer's name, such as `Firma`. */
  readonly honorific: boolean
  /** A person at the buyer, in the line under the name. */
  readonly contactPerson: boolean
  /**
   * Amounts next to the sums that none of the fields asks for: a balance of before that was paid, a sum that is due after
   * the day, the capital in the footer, what was paid in advance, prices with tax and a discount.
   */
  readonly others: "none" | "previous" | "later" | "capital" | "deposit" | "gross"
}

/** A family of layouts, by chance. */
export const styleOf = (chance: Chance): Style => {
  const optional = (["position", "code", "rate"] as const).filter(() => chance.odds(0.4))
  const has = (name: (typeof optional)[number]) => optional.includes(name)
  return {
    narrow: chance.odds(0.2),
    sellerAt: chance.pick([
      "left",
      "left",
      "left",
      "right",
      "right",
      "center",
      "labelled",
      "labelled",
      "footer"
    ]),
    sellerSize: chance.pick([10, 11, 12, 14, 16, 20, 24]),
    wrapsSeller: chance.odds(0.12),
    slogan: chance.odds(0.25),
    senderLine: chance.odds(0.3),
    buyerAt: chance.pick(["left", "left", "right", "labelled", "labelled", "labelled", "pair"]),
    titleAt: chance.pick(["left", "right", "center", "none", "numbered", "numbered", "sentence"]),
    titleSize: chance.pick([12, 14, 16, 18, 22, 28]),
    meta: chance.pick(["rows", "rows", "colons", "colons", "above", "above", "grid", "sentence", "far"]),
    metaAt: chance.pick(["left", "right", "right"]),
    strangers: chance.whole(0, 5),
    dueIn: chance.pick(["meta", "meta", "meta", "sentence", "payment", "none"]),
    columns: [
      ...(has("position") ? (["position"] as const) : []),
      ...(has("code") ? (["code"] as const) : []),
      "text",
      ...(chance.odds(0.9) ? (["quantity", "price"] as const) : []),
      ...(has("rate") ? (["rate"] as const) : []),
      "amount"
    ],
    ruled: chance.odds(0.5),
    headings: chance.odds(0.93),
    totals: chance.pick(["rows", "rows", "rows", "boxes", "table", "far", "left"]),
    breakdown: chance.pick(["none", "none", "before", "after"]),
    currencyIn: chance.pick(["label", "before", "after", "after", "total", "code", "meta"]),
    colon: chance.pick(["", "", ":", ":", " :"]),
    capitals: chance.odds(0.15),
    footer: chance.odds(0.6),
    noise: chance.odds(0.3) ? chance.whole(1, 3) : 0,
    rowHeight: chance.pick([1.35, 1.5, 1.5, 1.7, 2, 2.4]),
    size: chance.pick([8, 9, 9, 10, 10, 10, 11]),
    bank: chance.odds(0.6),
    prose: chance.odds(0.5),
    taxFree: chance.odds(0.06),
    balance: chance.odds(0.15),
    credit: chance.odds(0.05),
    brand: chance.odds(0.15),
    honorific: chance.odds(0.2),
    contactPerson: chance.odds(0.2),
    others: chance.odds(0.6) ? "none" : chance.pick(["previous", "later", "capital", "deposit", "gross"])
  }
}
