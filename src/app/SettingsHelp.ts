import { settings } from "../config/Config.ts"
import type { Description } from "../config/Setting.ts"
import { modelSettingsHelp } from "../providers/llm/ModelSettings.ts"
import { secretSettingsHelp } from "../providers/outbound/OutboundHttp.ts"

/** Every setting: its variable, its default and what it is for, as `docflow serve --help` lists them. */
export const settingsHelp: ReadonlyArray<Description> = [
  ...settings,
  ...modelSettingsHelp,
  ...secretSettingsHelp
]
