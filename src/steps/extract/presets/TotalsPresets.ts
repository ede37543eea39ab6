import type { Preset } from "./Preset.ts"

const subtotal: Preset = {
  type: "money",
  term: "BT-109",
  unsigned: true,
  pick: "last"
}

const taxAmount: Preset = {
  type: "money",
  term: "BT-110",
  unsigned: true,
  pick: "last",
  adds: true
}

const totalAmount: Preset = {
  type: "money",
  term: "BT-112",
  unsigned: true,
  always: true,
  pick: "last"
}

const amountDue: Preset = {
  type: "money",
  term: "BT-115",
  unsigned: true,
  pick: "last",
  // Where nothing was paid, the total is what is due.
  fallback: "invoice.totalAmount"
}

/** The sums of an invoice. */
export const totalPresets = {
  "invoice.subtotal": subtotal,
  "invoice.taxAmount": taxAmount,
  "invoice.totalAmount": totalAmount,
  "invoice.amountDue": amountDue
} satisfies Readonly<Record<string, Preset>>
