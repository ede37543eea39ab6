import { Config, Effect } from "effect"

/**
 * The folder of the user's flows: the one from the settings, or `./flows`, even where docflow's own are read otherwise.
 */
export const ownFlowsFolder = Effect.orDie(
  Config.String("DOCFLOW_FLOWS_DIR").pipe(Config.withDefault("flows"))
)
