import type { Preset } from "./Preset.ts"
import { lineItems } from "./LineItemPresets.ts"

const number: Preset = {
  type: "identifier",
  always: true,
  term: "BT-1"
}

const date: Preset = {
  type: "date",
  recent: true,
  always: true,
  term: "BT-2",
  pick: "first"
}

const dueDate: Preset = {
  type: "date",
  recent: true,
  term: "BT-9",
  pick: "last"
}

const vendorName: Preset = {
  type: "string",
  finder: "seller",
  always: true,
  term: "BT-27"
}

const currency: Preset = {
  type: "currency",
  finder: "currency",
  term: "BT-5"
}

/** `invoice` or `credit-note`: by the title of the document. */
const documentType: Preset = {
  type: "string",
  finder: "kind",
  term: "BT-3"
}

export const invoicePresets = {
  "invoice.documentType": documentType,
  "invoice.number": number,
  "invoice.date": date,
  "invoice.dueDate": dueDate,
  "invoice.vendorName": vendorName,
  "invoice.currency": currency,
  "invoice.lineItems": lineItems
} satisfies Readonly<Record<string, Preset>>
