import { Effect, FileSystem, Schema } from "effect"

/** Another process uses the folder. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  message: Schema.String
}) {}

const Owner = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, started: Schema.String }))

/** When a process started, in the kernel's clock ticks: tells a process from a later one of the same number. */
const startOf = (pid: number) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const stat = yield* fs.readFileString(`/proc/${pid}/stat`)
    // The command name may hold spaces and parentheses: count the fields after its last one.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  }).pipe(Effect.orElseSucceed(() => ""))

const isAlive = (pid: number) =>
  Effect.try({ try: () => process.kill(pid, 0), catch: () => false }).pipe(Effect.orElseSucceed(() => false))

const holderOf = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const owner = yield* Schema.decodeUnknownEffect(Owner)(yield* fs.readFileString(file))
    const alive = owner.pid !== process.pid && (yield* isAlive(owner.pid))
    return alive && (yield* startOf(owner.pid)) === owner.started ? owner.pid : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

/**
 * Takes a folder for this process until the scope closes, by a file `<folder>.lock` that names its owner. The lock of a
 * process that has died is taken over.
 */
export const acquire = (folder: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${folder}.lock`
    const take = Effect.gen(function* () {
      const owner = { pid: process.pid, started: yield* startOf(process.pid) }
      yield* fs.writeFileString(file, yield* Schema.encodeEffect(Owner)(owner), { flag: "wx", mode: 0o600 })
    })
    yield* fs.makeDirectory(folder, { recursive: true })
    const takeOver = Effect.gen(function* () {
      const holder = yield* holderOf(file)
      if (holder !== undefined) {
        return yield* new FolderInUse({
          message: `${folder} is in use by process ${holder}: stop it, or set DOCFLOW_DATA_DIR to another folder`
        })
      }
      yield* fs.remove(file, { force: true })
      yield* take
    })
    yield* Effect.acquireRelease(
      Effect.catchTag(take, "PlatformError", () => takeOver),
      () => Effect.ignore(fs.remove(file, { force: true }))
    )
  })
