import { Cause, Console, Effect, FileSystem, Layer, Logger, Option, Path, Predicate } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { StepRegistry } from "../../dsl/model/StepRegistry.ts"
import { checkCommand } from "./CheckCommand.ts"
import { graphCommand } from "./GraphCommand.ts"
import { newCommand } from "./NewCommand.ts"
import { loadSteps, OwnSteps, stepsFlag } from "./OwnSteps.ts"
import { planCommand } from "./PlanCommand.ts"
import { runCommand } from "./RunCommand.ts"
import { archiveCommand } from "./service-commands/ArchiveCommand.ts"
import { examplesCommand } from "./service-commands/ExamplesCommand.ts"
import { keysCommand } from "./service-commands/KeysCommand.ts"
import { organizationsCommand } from "./service-commands/OrganizationsCommand.ts"
import { runsCommand } from "./service-commands/RunsCommand.ts"
import { usersCommand } from "./service-commands/UsersCommand.ts"
import { testCommand } from "./TestCommand.ts"
import { findings } from "../app/Doctor.ts"
import { editorSchema } from "../../dsl/tools/EditorSchema.ts"
import { reference } from "../../dsl/tools/Reference.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import { flowFileOf, openFlow } from "./FlowArgument.ts"
import { typeNameOf, typeText } from "./OutputTypes.ts"
import { inspect } from "node:util"
import { settingsHelp } from "../app/SettingsHelp.ts"
import { fail, Failed } from "./CommandFailed.ts"
import { cannotWrite } from "../domain/FileProblem.ts"
import { starterFiles } from "./new-command/StarterFiles.ts"

const folder = Argument.String("folder").pipe(
  Argument.withDescription("Folder of the new project. Default: this folder"),
  Argument.withDefault(".")
)

/** `docflow init`: a project with a flow, its test set, and a workflow that checks both. */
const initCommand = Command.make("init", { folder }, (input) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const files = starterFiles.map(({ name, text }) => ({ file: path.join(input.folder, name), text }))
    const info = yield* Effect.option(fs.stat(input.folder))
    if (Option.isSome(info) && info.value.type !== "Directory")
      return yield* fail(`${input.folder} is a file. Give the path of a folder, which may be a new one`)
    for (const { file } of files)
      if (yield* Effect.orElseSucceed(fs.exists(file), () => false))
        return yield* fail(`${file} exists. Choose an empty folder`)
    for (const { file, text } of files) {
      yield* Effect.catch(
        Effect.andThen(
          fs.makeDirectory(path.dirname(file), { recursive: true }),
          fs.writeFileString(file, text, { flag: "wx" })
        ),
        (error) => fail(cannotWrite(file, error))
      )
      yield* Console.log(`Wrote ${file}`)
    }
    const enter = input.folder === "." ? "" : `  cd ${input.folder}\n`
    yield* Console.log(
      `\nNext:\n${enter}  docflow test letter\n  docflow new flow my-flow --from <your documents>`
    )
  })
).pipe(Command.withDescription("Start a project: a flow, its test set, and a workflow that checks them"))

const width = Math.max(...settingsHelp.map(({ variable }) => variable.length))
const settings = settingsHelp
  .map(({ about, fallback, variable }) => `  ${variable.padEnd(width)}  ${about} (default: ${fallback})`)
  .join("\n")

/** The service has printed why it did not start. */
const told = (cause: Cause.Cause<unknown>): Effect.Effect<never, Failed> =>
  Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(new Failed({}))

/** Loads the service only when it runs: that takes longer than most other commands take. */
const serve = (own: StepRegistry<never>) =>
  Effect.flatMap(
    Effect.promise(() => import("../app/Serve.ts")),
    ({ serveWith }) => Effect.catchCause(serveWith(own), told)
  )

/** `docflow serve`: the service. */
const serveCommand = Command.make("serve", {}, () => Effect.flatMap(OwnSteps, serve)).pipe(
  Command.withDescription(`Run the service. Its settings are read from the environment:\n\n${settings}\n`),
  Command.withShortDescription("Run the service")
)

const port = Flag.Int("http").pipe(
  Flag.withDescription(
    "Serve streamable HTTP on this port of 127.0.0.1 instead of standard input and output"
  ),
  Flag.optional
)
const root = Flag.String("root").pipe(
  Flag.withDescription("Folder whose files the assistant may read; may be repeated. Default: this folder"),
  Flag.between(0, 20)
)

/** `docflow mcp`: flows as tools for assistants, over the Model Context Protocol. */
const mcpCommand = Command.make("mcp", { port, root }, (input) =>
  Effect.gen(function* () {
    // The protocol's library loads slowly, and no other command needs it.
    const { serveAssistants } = yield* Effect.promise(() => import("./ServeAssistants.ts"))
    return yield* serveAssistants(input.root.length > 0 ? input.root : ["."], input.port)
  })
).pipe(
  Command.withDescription(
    "Serve assistants over the Model Context Protocol (MCP): tools that run and check flows in this process"
  )
)

const beginning = (level: string): string => {
  if (level === "Warn") return "warning: "
  return level === "Error" || level === "Fatal" ? "error: " : ""
}

const shown = (part: unknown): string => (Predicate.isString(part) ? part : inspect(part))

const formatForPeople = Logger.make<unknown, string>(({ cause, logLevel, message }) => {
  const parts = Array.isArray(message) ? message : [message]
  const why = cause.reasons.length === 0 ? [] : [Cause.pretty(cause)]
  return beginning(logLevel) + [...parts, ...why].map(shown).join(": ")
})

/**
 * Logs as a command does, for the person who typed it: the message, and what it is unless it only informs. To standard
 * error: standard output belongs to the command's result, which a program may parse.
 */
export const layerCommandLogger = Logger.layer([Logger.withConsoleError(formatForPeople)])

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)

/** `docflow types`: the output of a flow as a TypeScript type, for the client. */
const typesCommand = Command.make("types", { flow }, (input) =>
  Effect.gen(function* () {
    const { definition, outputSchema } = yield* openFlow(yield* flowFileOf(input.flow))
    const { id, version } = definition
    yield* Console.log(
      `/** Output of the flow ${id} ${version}, written by \`docflow types ${id}\`. */\nexport type ${typeNameOf(id)} = ${typeText(outputSchema)}`
    )
  })
).pipe(Command.withDescription("Print the output of a flow as a TypeScript type, for the client"))

const schema = Flag.Boolean("schema").pipe(
  Flag.withDescription("Print the JSON Schema of flow files instead, for editors"),
  Flag.withDefault(false)
)

/** `docflow reference`: the flow language, from its schemas; `docs/flow-language.md` is made with it. */
const referenceCommand = Command.make("reference", { schema }, (input) =>
  Effect.flatMap(LocalRuns, ({ registry }) =>
    Console.log(
      input.schema ? JSON.stringify(editorSchema(registry), null, 2) : reference(registry).trimEnd()
    )
  )
).pipe(Command.withDescription("Print the reference of the flow language, with all step kinds, as Markdown"))

/** `docflow doctor`: what is installed on this machine. */
const doctorCommand = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const found = yield* findings
    const width = Math.max(...found.map(({ name }) => name.length))
    for (const { found: what, name } of found) yield* Console.log(`${name.padEnd(width)}  ${what}`)
  })
).pipe(
  Command.withDescription("List what is installed: OCR engines, models, languages, programs, the sandbox")
)

/** Loaded only by a command that runs: help and errors in a command line need no more than the commands' names and flags. */
const engine = Effect.promise(() => import("../Docflow.ts"))

const noSteps: StepRegistry<never> = { kinds: new Map() }

/** The command `docflow` with its subcommands; it fails if the process is to end with exit code 1. */
export const docflow = Command.make("docflow").pipe(
  Command.withDescription("Runs versioned document flows and returns data with evidence for every field"),
  Command.withSharedFlags({ steps: stepsFlag }),
  Command.withSubcommands([
    serveCommand,
    runCommand,
    checkCommand,
    planCommand,
    testCommand,
    doctorCommand,
    graphCommand,
    referenceCommand,
    typesCommand,
    newCommand,
    initCommand,
    runsCommand,
    keysCommand,
    organizationsCommand,
    usersCommand,
    archiveCommand,
    examplesCommand,
    mcpCommand
  ]),
  Command.provide(({ steps }) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { builtIn, layerLocal } = yield* engine
        const own = Option.isNone(steps) ? noSteps : yield* loadSteps(steps.value, builtIn)
        return Layer.mergeAll(layerLocal(own), Layer.succeed(OwnSteps, own))
      })
    ).pipe(Layer.provideMerge(layerCommandLogger))
  )
)
