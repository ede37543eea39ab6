import type { Preset } from "./Preset.ts"

/** The lines of an invoice. */
export const lineItems: Preset = {
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
