import type { Preset } from "./Preset.ts"

/** The party that is invoiced. */
const customerName: Preset = {
  type: "string",
  finder: "customer",
  term: "BT-44"
}

const vendorVatId: Preset = {
  type: "vatId",
  pick: "first",
  term: "BT-31",
  rivals: ["invoice.customerVatId"]
}

const customerVatId: Preset = { type: "vatId", term: "BT-48" }

const purchaseOrder: Preset = {
  type: "identifier",
  term: "BT-13"
}

const iban: Preset = {
  type: "iban",
  term: "BT-84"
}

const vendorEmail: Preset = {
  type: "email",
  pick: "first",
  term: "BT-43"
}

const vendorPhone: Preset = {
  type: "phone",
  pick: "first",
  term: "BT-42"
}

/** The parties of an invoice, and their identifiers. */
export const partyPresets = {
  "invoice.customerName": customerName,
  "invoice.vendorVatId": vendorVatId,
  "invoice.customerVatId": customerVatId,
  "invoice.purchaseOrder": purchaseOrder,
  "invoice.iban": iban,
  "invoice.vendorEmail": vendorEmail,
  "invoice.vendorPhone": vendorPhone
} satisfies Readonly<Record<string, Preset>>
