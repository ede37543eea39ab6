import {
  compileThoroughlyLate,
  keepCompiledCode,
  ignoreInspectorSignal,
  restartWithMemorySettings
} from "./app/ProcessStart.ts"

ignoreInspectorSignal()
restartWithMemorySettings()
keepCompiledCode()
compileThoroughlyLate()
if (process.argv.length === 2) {
  const { startService } = await import("./app/StartService.ts")
  startService()
} else {
  // `npm start -- --help` is `docflow serve --help`, and a mistyped flag is refused as there.
  process.argv.splice(2, 0, "serve")
  const { startCommandLine } = await import("./cli/StartCommandLine.ts")
  startCommandLine()
}
