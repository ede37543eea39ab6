import { Console, Effect, FileSystem, Path, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ArchivedKind, ArchivePage } from "../../domain/ArchivePage.ts"
import { cannotWrite } from "../../domain/FileProblem.ts"
import { fail } from "../CommandFailed.ts"
import { administer } from "./ServiceAccess.ts"

const Removed = Schema.Struct({ removed: Schema.Int })

/** Writes a kind to a new file. Each page is on the disk before its rows are removed. */
const archive = Effect.fnUntraced(function* (path: string, file: string, isRemoved: boolean) {
  const fs = yield* FileSystem.FileSystem
  // A month that is refused leaves no file.
  let page = yield* administer("GET", path, ArchivePage)
  const opened = yield* fs.open(file, { flag: "wx" })
  let [exported, removed] = [0, 0]
  while (true) {
    yield* opened.writeAll(Buffer.from(page.rows.map(({ json }) => `${json}\n`).join("")))
    yield* opened.sync
    exported += page.rows.length
    if (isRemoved && page.rows.length > 0) {
      const ids = page.rows.map(({ id }) => id)
      removed += (yield* administer("POST", path, Removed, { ids })).removed
    }
    if (page.next === null) break
    page = yield* administer("GET", `${path}?after=${encodeURIComponent(page.next)}`, ArchivePage)
  }
  yield* Console.log(`${file}: ${exported} exported, ${removed} removed`)
}, Effect.scoped)

/** `docflow archive`: exports a month of a running service, and removes it there; needs the admin token. */
export const archiveCommand = Command.make(
  "archive",
  {
    month: Argument.String("month").pipe(Argument.withDescription("Month in UTC, such as 2026-03")),
    folder: Flag.String("folder").pipe(
      Flag.withDescription("Folder for the files. Default: the current folder"),
      Flag.withDefault(".")
    ),
    remove: Flag.Boolean("remove").pipe(
      Flag.withDescription("Remove from the service what was exported"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ folder, month, remove }) {
    const { join } = yield* Path.Path
    for (const kind of ArchivedKind.literals) {
      const file = join(folder, `${month}.${kind}.jsonl`)
      yield* Effect.catchTag(
        archive(`/archives/${encodeURIComponent(month)}/${kind}`, file, remove),
        "PlatformError",
        (error) => fail(cannotWrite(file, error))
      )
    }
  })
).pipe(
  Command.withDescription(
    "Export the expired executions and the audit log of a month from a running service (DOCFLOW_URL), with the admin token"
  ),
  Command.withShortDescription("Export and remove a month of a service")
)
