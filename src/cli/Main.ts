#!/usr/bin/env node
import { commandName } from "./CommandName.ts"
import { compileThoroughlyLate, keepCompiledCode } from "../app/CompiledCode.ts"
import { ignoreInspectorSignal, restartWithMemorySettings } from "../app/ServiceMemory.ts"

ignoreInspectorSignal()
// Other commands end before freed memory matters.
if (commandName(process.argv.slice(2)) === "serve") {
  restartWithMemorySettings()
  compileThoroughlyLate()
}
keepCompiledCode()
const { startCommandLine } = await import("./StartCommandLine.ts")
startCommandLine()
