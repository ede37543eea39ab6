#!/usr/bin/env node
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer } from "effect"
import { Command } from "effect/cli"
import { layerLocal } from "../Docflow.ts"
import { checkCommand } from "./CheckCommand.ts"
import { graphCommand } from "./GraphCommand.ts"
import { planCommand } from "./PlanCommand.ts"
import { referenceCommand } from "./ReferenceCommand.ts"
import { runCommand } from "./RunCommand.ts"
import { serveCommand } from "./ServeCommand.ts"
import { testCommand } from "./TestCommand.ts"

const docflow = Command.make("docflow").pipe(
  Command.withDescription("Runs versioned document flows and returns data with evidence for every field"),
  Command.withSubcommands([
    serveCommand,
    runCommand,
    checkCommand,
    planCommand,
    testCommand,
    graphCommand,
    referenceCommand
  ])
)

const program = Command.run(docflow, { version: "0.1.0" }).pipe(
  Effect.provide(Layer.mergeAll(layerLocal(), NodeServices.layer))
)

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
})
