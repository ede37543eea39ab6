import { keepCompiledCode } from "./CompiledCode.ts"

keepCompiledCode()
const { startService } = await import("./StartService.ts")
startService()
