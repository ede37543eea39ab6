import type { PresetName } from "../PresetNames.ts"
import type { Preset } from "../Preset.ts"
import { invoicePresets } from "./Invoice.ts"
import { partyPresets } from "./Parties.ts"
import { receiptPresets } from "./Receipt.ts"
import { totalPresets } from "./Totals.ts"

/** The fields that docflow knows by name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  ...invoicePresets,
  ...totalPresets,
  ...partyPresets,
  ...receiptPresets
}
