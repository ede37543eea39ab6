import { Effect } from "effect"
import { Command } from "effect/cli"
import { settingsHelp } from "../Config.ts"
import { serveWith } from "../Serve.ts"
import { OwnSteps } from "./OwnSteps.ts"

const width = Math.max(...settingsHelp.map(({ name }) => name.length))
const settings = settingsHelp
  .map(({ about, fallback, name }) => `  ${name.padEnd(width)}  ${about} (default: ${fallback})`)
  .join("\n")

/** `docflow serve`: the service. */
export const serveCommand = Command.make("serve", {}, () => Effect.flatMap(OwnSteps, serveWith)).pipe(
  Command.withDescription(`Run the service. Its settings are read from the environment:\n\n${settings}\n`),
  Command.withShortDescription("Run the service")
)
