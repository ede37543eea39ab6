import { Cause, Effect } from "effect"
import { Command } from "effect/cli"
import { settingsHelp } from "../app/SettingsHelp.ts"
import type { StepRegistry } from "../../dsl/model/StepRegistry.ts"
import { Failed } from "./CommandFailed.ts"
import { OwnSteps } from "./OwnSteps.ts"

const width = Math.max(...settingsHelp.map(({ variable }) => variable.length))
const settings = settingsHelp
  .map(({ about, fallback, variable }) => `  ${variable.padEnd(width)}  ${about} (default: ${fallback})`)
  .join("\n")

/** The service has printed why it did not start. */
const told = (cause: Cause.Cause<unknown>): Effect.Effect<never, Failed> =>
  Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(new Failed({}))

/** Loads the service only when it runs: that takes longer than most other commands take. */
const serve = (own: StepRegistry<never>) =>
  Effect.flatMap(
    Effect.promise(() => import("../app/Serve.ts")),
    ({ serveWith }) => Effect.catchCause(serveWith(own), told)
  )

/** `docflow serve`: the service. */
export const serveCommand = Command.make("serve", {}, () => Effect.flatMap(OwnSteps, serve)).pipe(
  Command.withDescription(`Run the service. Its settings are read from the environment:\n\n${settings}\n`),
  Command.withShortDescription("Run the service")
)
