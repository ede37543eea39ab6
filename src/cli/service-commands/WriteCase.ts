import { Console, Effect, FileSystem, Path } from "effect"
import type { ExportedCase } from "../../client/index.ts"
import { fail } from "../CommandFailed.ts"

/** Writes an exported case into a folder: the test set, and the document that belongs to it. Other files are never replaced. */
export const writeCase = Effect.fnUntraced(function* (found: ExportedCase, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const write = (name: string, bytes: Uint8Array) => {
    // A name without its folders: nothing is written outside of this one.
    const file = path.join(folder, path.basename(name))
    return Effect.catch(fs.writeFile(file, bytes, { flag: "wx" }), ({ reason }) =>
      fail(
        reason._tag === "AlreadyExists"
          ? `${file} already exists. Remove it to write it again`
          : `${file} cannot be written`
      )
    ).pipe(Effect.andThen(Console.log(file)))
  }
  yield* Effect.ignore(fs.makeDirectory(folder, { recursive: true }))
  yield* write(found.name, Buffer.from(found.text))
  if (found.document !== undefined) {
    return yield* write(found.document.filename, Buffer.from(found.document.base64, "base64"))
  }
  yield* Console.error(
    "The document is not in it: put it next to the test set, or allow the export with docflow organizations export"
  )
})
