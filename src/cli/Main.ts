#!/usr/bin/env node
import { compileThoroughlyLate, keepCompiledCode } from "../CompiledCode.ts"
import { restartWithMemorySettings } from "../ServiceMemory.ts"

// Other commands end before freed memory matters.
if (process.argv[2] === "serve") {
  restartWithMemorySettings()
  compileThoroughlyLate()
}
keepCompiledCode()
const { startCommandLine } = await import("./StartCommandLine.ts")
startCommandLine()
