import { keepCompiledCode } from "./CompiledCode.ts"
import { restartWithMemorySettings } from "./ServiceMemory.ts"

restartWithMemorySettings()
keepCompiledCode()
const { startService } = await import("./StartService.ts")
startService()
