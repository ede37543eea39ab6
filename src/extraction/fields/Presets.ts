import type { PresetName } from "./PresetNames.ts"
import type { Preset } from "./Preset.ts"
import { receiptPresets } from "./ReceiptPresets.ts"

/** The lines of an invoice. */
const lineItems: Preset = {
  type: "table",
  unsigned: true,
  columns: {
    description: {
      type: "string",
      term: "BT-153"
    },
    quantity: {
      type: "number",
      term: "BT-129"
    },
    unitPrice: {
      type: "money",
      term: "BT-146"
    },
    amount: {
      type: "money",
      term: "BT-131"
    }
  }
}

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

const invoicePresets = {
  "invoice.documentType": documentType,
  "invoice.number": number,
  "invoice.date": date,
  "invoice.dueDate": dueDate,
  "invoice.vendorName": vendorName,
  "invoice.currency": currency,
  "invoice.lineItems": lineItems
} satisfies Readonly<Record<string, Preset>>

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
const partyPresets = {
  "invoice.customerName": customerName,
  "invoice.vendorVatId": vendorVatId,
  "invoice.customerVatId": customerVatId,
  "invoice.purchaseOrder": purchaseOrder,
  "invoice.iban": iban,
  "invoice.vendorEmail": vendorEmail,
  "invoice.vendorPhone": vendorPhone
} satisfies Readonly<Record<string, Preset>>

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
const totalPresets = {
  "invoice.subtotal": subtotal,
  "invoice.taxAmount": taxAmount,
  "invoice.totalAmount": totalAmount,
  "invoice.amountDue": amountDue
} satisfies Readonly<Record<string, Preset>>

/** The fields that docflow knows by name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  ...invoicePresets,
  ...totalPresets,
  ...partyPresets,
  ...receiptPresets
}
