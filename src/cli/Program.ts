import { Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import type { StepRegistry } from "../../dsl/model/StepRegistry.ts"
import { checkCommand } from "./CheckCommand.ts"
import { layerCommandLogger } from "./CommandLogger.ts"
import { doctorCommand } from "./DoctorCommand.ts"
import { graphCommand } from "./GraphCommand.ts"
import { initCommand } from "./InitCommand.ts"
import { newCommand } from "./NewCommand.ts"
import { loadSteps, OwnSteps, stepsFlag } from "./OwnSteps.ts"
import { mcpCommand } from "./McpCommand.ts"
import { planCommand } from "./PlanCommand.ts"
import { referenceCommand } from "./ReferenceCommand.ts"
import { runCommand } from "./RunCommand.ts"
import { calibrateCommand } from "./service-commands/CalibrateCommand.ts"
import { examplesCommand } from "./service-commands/ExamplesCommand.ts"
import { keysCommand } from "./service-commands/KeysCommand.ts"
import { organizationsCommand } from "./service-commands/OrganizationsCommand.ts"
import { runsCommand } from "./service-commands/RunsCommand.ts"
import { usersCommand } from "./service-commands/UsersCommand.ts"
import { serveCommand } from "./ServeCommand.ts"
import { testCommand } from "./TestCommand.ts"
import { typesCommand } from "./TypesCommand.ts"

/** Loaded only by a command that runs: help and errors in a command line need no more than the commands' names and flags. */
const engine = Effect.promise(() => import("../Docflow.ts"))

const noSteps: StepRegistry<never> = { kinds: new Map() }

/** The command `docflow` with its subcommands; it fails if the process is to end with exit code 1. */
export const docflow = Command.make("docflow").pipe(
  Command.withDescription("Runs versioned document flows and returns data with evidence for every field"),
  Command.withSharedFlags({ steps: stepsFlag }),
  Command.withSubcommands([
    serveCommand,
    runCommand,
    checkCommand,
    planCommand,
    testCommand,
    doctorCommand,
    graphCommand,
    referenceCommand,
    typesCommand,
    newCommand,
    initCommand,
    runsCommand,
    keysCommand,
    organizationsCommand,
    usersCommand,
    examplesCommand,
    calibrateCommand,
    mcpCommand
  ]),
  Command.provide(({ steps }) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { builtIn, layerLocal } = yield* engine
        const own = Option.isNone(steps) ? noSteps : yield* loadSteps(steps.value, builtIn)
        return Layer.mergeAll(layerLocal(own), Layer.succeed(OwnSteps, own))
      })
    ).pipe(Layer.provideMerge(layerCommandLogger))
  )
)
