import { Console, Effect, FileSystem, Option, Path } from "effect"
import { Argument, Command } from "effect/cli"
import { cannotWrite } from "../domain/FileProblem.ts"
import { fail } from "./CommandFailed.ts"
import { starterFiles } from "./new-command/StarterFiles.ts"

const folder = Argument.String("folder").pipe(
  Argument.withDescription("Folder of the new project. Default: this folder"),
  Argument.withDefault(".")
)

/** `docflow init`: a project with a flow, its test set, and a workflow that checks both. */
export const initCommand = Command.make("init", { folder }, (input) =>
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
