import type { PresetName } from "./PresetNames.ts"
import type { Preset } from "./Preset.ts"
import { invoicePresets } from "./InvoicePresets.ts"
import { partyPresets } from "./PartyPresets.ts"
import { receiptPresets } from "./ReceiptPresets.ts"
import { totalPresets } from "./TotalsPresets.ts"

/** The fields that docflow knows by name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  ...invoicePresets,
  ...totalPresets,
  ...partyPresets,
  ...receiptPresets
}
