import { addressFinder } from "./Address.ts"
import { currencyFinder } from "./CurrencyField.ts"
import { customerFinder } from "./Customer.ts"
import type { Finder } from "./Finder.ts"
import { kindFinder } from "./Kind.ts"
import { labelFinder } from "./LabelFinder.ts"
import { merchantFinder } from "./Merchant.ts"
import { sellerFinder } from "./Seller.ts"

/** All finders by the names that presets ask for them with. */
export const finders = {
  label: labelFinder,
  seller: sellerFinder,
  customer: customerFinder,
  merchant: merchantFinder,
  address: addressFinder,
  currency: currencyFinder,
  kind: kindFinder
} as const satisfies Readonly<Record<string, Finder>>
export type FinderName = keyof typeof finders
