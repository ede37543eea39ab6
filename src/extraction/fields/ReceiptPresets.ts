import type { Preset } from "./Preset.ts"

/** The shop: no label is next to it. */
const merchantName: Preset = {
  type: "string",
  finder: "merchant",
  always: true
}

/** Where the shop is: the lines under its name. */
const address: Preset = {
  type: "string",
  finder: "address"
}

const date: Preset = {
  type: "date",
  recent: true,
  always: true,
  pick: "first"
}

const totalAmount: Preset = {
  type: "money",
  pointOfSale: true,
  always: true,
  unsigned: true,
  pick: "last"
}

/** The cash handed over: with the change, it proves the total. */
const cash: Preset = {
  type: "money",
  unsigned: true,
  pick: "last"
}

const change: Preset = {
  type: "money",
  unsigned: true,
  pick: "last"
}

export const receiptPresets = {
  "receipt.merchantName": merchantName,
  "receipt.address": address,
  "receipt.date": date,
  "receipt.totalAmount": totalAmount,
  "receipt.cash": cash,
  "receipt.change": change
} satisfies Readonly<Record<string, Preset>>
