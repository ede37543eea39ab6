#!/usr/bin/env node
import { keepCompiledCode } from "../CompiledCode.ts"

keepCompiledCode()
const { startCommandLine } = await import("./StartCommandLine.ts")
startCommandLine()
