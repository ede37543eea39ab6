/** The fields that docflow knows by name. */
export const presetNames = [
  "invoice.documentType",
  "invoice.number",
  "invoice.date",
  "invoice.dueDate",
  "invoice.vendorName",
  "invoice.currency",
  "invoice.subtotal",
  "invoice.taxAmount",
  "invoice.totalAmount",
  "invoice.amountDue",
  "invoice.lineItems",
  "invoice.customerName",
  "invoice.vendorVatId",
  "invoice.customerVatId",
  "invoice.purchaseOrder",
  "invoice.iban",
  "invoice.vendorEmail",
  "invoice.vendorPhone",
  "receipt.merchantName",
  "receipt.address",
  "receipt.date",
  "receipt.totalAmount",
  "receipt.cash",
  "receipt.change"
] as const

export type PresetName = (typeof presetNames)[number]
