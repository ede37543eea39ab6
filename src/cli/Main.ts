#!/usr/bin/env node
import { commandName } from "./CommandName.ts"
import {
  compileThoroughlyLate,
  keepCompiledCode,
  ignoreInspectorSignal,
  restartWithMemorySettings
} from "../app/ProcessStart.ts"

ignoreInspectorSignal()
// Other commands end before freed memory matters.
if (commandName(process.argv.slice(2)) === "serve") {
  restartWithMemorySettings()
  compileThoroughlyLate()
}
keepCompiledCode()
const { startCommandLine } = await import("./StartCommandLine.ts")
startCommandLine()
