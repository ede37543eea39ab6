import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { nearest } from "../../dsl/source/Nearest.ts"
import type { Outbound } from "../providers/outbound/Outbound.ts"
import { fetchDocument } from "../services/executions/FetchDocument.ts"

/** The source of a tool's document: exactly one of the three. */
export interface DocumentSource {
  readonly file?: string | undefined
  readonly url?: string | undefined
  readonly text?: string | undefined
}

/** A document in memory. */
export interface GivenDocument {
  readonly name: string
  readonly bytes: Uint8Array
  readonly mimeType?: string
}

/** Why a tool cannot get its document. */
export class NoDocument extends Schema.TaggedError<NoDocument>()("NoDocument", { message: Schema.String }) {}

const mostMegabytes = 20

/** Reads a file in one of the folders that the assistant may read; links are resolved before the check. */
const readFile = Effect.fnUntraced(function* (file: string, roots: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const [first = "."] = roots
  const asked = path.resolve(first, file)
  const refused = new NoDocument({
    message: `${file} is not in a folder that this server may read. Move it there, or start docflow mcp with --root`
  })
  const isInside = (root: string, real: string) => {
    const relative = path.relative(root, real)
    return relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative)
  }
  // A path outside is refused before the disk is accessed, so that no answer reveals what exists there.
  if (!roots.some((root) => isInside(path.resolve(root), asked))) return yield* refused
  const missing = Effect.gen(function* () {
    const beside = yield* Effect.orElseSucceed(
      fs.readDirectory(path.dirname(asked)),
      (): ReadonlyArray<string> => []
    )
    const near = nearest(path.basename(asked), beside)
    const advice =
      near === undefined ? "Check the path" : `Did you mean "${path.join(path.dirname(file), near)}"?`
    return yield* new NoDocument({ message: `File not found: ${file}. ${advice}` })
  })
  const real = yield* Effect.catch(fs.realPath(asked), () => missing)
  const realRoots = yield* Effect.forEach(roots, (root) =>
    Effect.orElseSucceed(fs.realPath(root), () => root)
  )
  if (!realRoots.some((root) => isInside(root, real))) return yield* refused
  const unreadable = () => new NoDocument({ message: `${file} cannot be read` })
  const { size, type } = yield* Effect.mapError(fs.stat(real), unreadable)
  if (type !== "File") return yield* new NoDocument({ message: `${file} is not a file` })
  if (Number(size) > mostMegabytes * 1_000_000)
    return yield* new NoDocument({ message: `${file} is larger than ${mostMegabytes} MB` })
  return {
    name: path.basename(real),
    bytes: yield* Effect.mapError(fs.readFile(real), unreadable)
  } satisfies GivenDocument
})

/** Gets the document that a tool was called with. */
export const givenDocument = Effect.fnUntraced(function* (
  { file, text, url }: DocumentSource,
  roots: ReadonlyArray<string>
): Effect.fn.Return<GivenDocument, NoDocument, FileSystem.FileSystem | Path.Path | Outbound> {
  const given = [file, url, text].filter((one) => one !== undefined)
  if (given.length !== 1)
    return yield* new NoDocument({ message: "Give exactly one of `file`, `url` and `text`" })
  if (file !== undefined) return yield* readFile(file, roots)
  if (url !== undefined) {
    const fetched = yield* Effect.mapError(
      fetchDocument(url, "live", mostMegabytes * 1_000_000),
      ({ reason }) => new NoDocument({ message: `${url} cannot be fetched: ${reason}` })
    )
    const name = Option.getOrElse(Option.fromUndefinedOr(fetched.filename), () => "document")
    return { name, bytes: fetched.bytes }
  }
  return {
    name: "document.txt",
    bytes: new TextEncoder().encode(text ?? ""),
    mimeType: "text/plain"
  }
})
