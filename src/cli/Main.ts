#!/usr/bin/env node
import { keepCompiledCode } from "../CompiledCode.ts"
import { restartWithMemorySettings } from "../ServiceMemory.ts"

// Other commands end before freed memory matters.
if (process.argv[2] === "serve") restartWithMemorySettings()
keepCompiledCode()
const { startCommandLine } = await import("./StartCommandLine.ts")
startCommandLine()
