import { ConfigProvider, Console, Effect } from "effect"
import { execFile } from "node:child_process"
import { exitCodeFor, runCommandLine } from "../../src/cli/StartCommandLine.ts"

/** What a command said, and the exit code it ended with. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly error: string
}

type Settings = Readonly<Record<string, string>>

/** Runs a command in a process of its own, as a user does: three to four seconds of CPU to read a document. */
export const runProcess = (settings: Settings, ...words: ReadonlyArray<string>): Promise<Said> =>
  runProcessWith("", settings, ...words)

/** The same, with text on its standard input. */
export const runProcessWith = (
  input: string,
  settings: Settings,
  ...words: ReadonlyArray<string>
): Promise<Said> =>
  new Promise((done) => {
    const env = { ...process.env, ...settings }
    const started = execFile(
      process.execPath,
      ["src/cli/Main.ts", ...words],
      { env },
      (failure, out, error) =>
        done({ code: failure === null ? 0 : typeof failure.code === "number" ? failure.code : 1, out, error })
    )
    started.stdin?.end(input)
  })

/** Runs a command in this process: all of the command line but the start and the end of a process. */
export const runHere = async (settings: Settings, ...words: ReadonlyArray<string>): Promise<Said> => {
  let [out, error] = ["", ""]
  const exit = await runCommandLine(words).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: settings }))),
    Effect.provideService(Console.Console, {
      ...console,
      log: (text: string) => void (out += `${text}\n`),
      error: (text: string) => void (error += `${text}\n`)
    }),
    Effect.runPromiseExit
  )
  return { code: exitCodeFor(words, exit), out, error }
}
