/** The lines at the head of a gardener's invoice, above its table. */
export const above = ["Hollybank Gardens", "14 Orchard Way, Ludlow", "Invoice HB/2025/0412      14 May 2025"]

/** A row of a table that has only descriptions and amounts. */
export const item = (description: string, amount: number) => ({
  description,
  quantity: null,
  unitPrice: null,
  amount
})
