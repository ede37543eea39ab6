import { compileThoroughlyLate, keepCompiledCode } from "./CompiledCode.ts"
import { restartWithMemorySettings } from "./ServiceMemory.ts"

restartWithMemorySettings()
keepCompiledCode()
compileThoroughlyLate()
const { startService } = await import("./StartService.ts")
startService()
