import type { Facts } from "./Facts.ts"
import type { Style } from "./Style.ts"
import type { Tongue } from "./Tongues.ts"

/** What a generated invoice says: for each field the values that are right. */
export const invoiceTruth = (facts: Facts, tongue: Tongue, style: Style) => ({
  invoiceNumber: [facts.number, facts.number.replaceAll(" ", "")],
  invoiceDate: [facts.date],
  dueDate: style.dueIn === "none" ? [] : [facts.due],
  vendorName: [facts.seller.name],
  currency: [tongue.currency],
  ...(style.others === "gross" && !style.taxFree
    ? {}
    : { subtotal: style.taxFree ? [null, facts.subtotal] : [facts.subtotal] }),
  taxAmount: style.taxFree ? [null, 0] : [facts.tax],
  totalAmount: [facts.total]
})
