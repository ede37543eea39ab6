import { Config, Effect } from "effect"

/** The folder for flows of one's own: the one that is set, or `flows` here, even if docflow's own are read otherwise. */
export const ownFlowsFolder = Effect.orDie(
  Config.String("DOCFLOW_FLOWS_DIR").pipe(Config.withDefault("flows"))
)
