import { Config, Effect, FileSystem, Path, Result } from "effect"
import { hash } from "node:crypto"
import { outlineOf } from "../../../dsl/model/FlowCalls.ts"
import { FlowLibrary, type FlowText } from "../../../dsl/check/FlowLibrary.ts"
import type { StepRegistry } from "../../../dsl/model/StepRegistry.ts"
import { ownOrShipped } from "../../config/ShippedFiles.ts"
import { DocumentReader } from "../../document/DocumentReader.ts"

/** `1.0.0.yaml`: a file in a flows folder, whose other flows are in sibling folders. */
const isVersionFile = /^\d+\.\d+\.\d+[^/\\]*\.ya?ml$/u

/**
 * The flows that a flow file may call: those of its own flows folder, or else of `flowsDir`. `texts` are reduced to those
 * that it names directly or indirectly; `ids` are all, if it names one that does not exist.
 */
const flowsAround = Effect.fn("Flows.around")(function* (file: string, text: string, flowsDir: string) {
  const path = yield* Path.Path
  const folders = isVersionFile.test(path.basename(file))
    ? [path.dirname(path.dirname(path.resolve(file))), flowsDir]
    : [flowsDir]
  const found = new Map<string, ReadonlyArray<FlowText>>()
  const wanted = idsIn(text)
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (found.has(id)) continue
    const texts = yield* versionsOf(id, folders)
    found.set(id, texts)
    wanted.push(...texts.flatMap((one) => idsIn(one.text)))
  }
  const isAnyMissing = [...found.values()].some((texts) => texts.length === 0)
  return { texts: [...found.values()].flat(), ids: isAnyMissing ? yield* idsAround(folders) : [] }
})

/** The flows of some folders, by the names of theirs. */
const idsAround = Effect.fnUntraced(function* (folders: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found = yield* Effect.forEach(folders, (folder) =>
    Effect.orElseSucceed(fs.readDirectory(folder), () => []).pipe(
      Effect.flatMap((names) =>
        Effect.filter(names, (name) =>
          Effect.map(
            Effect.orElseSucceed(fs.readDirectory(path.join(folder, name)), () => []),
            (files) => files.some((file) => isVersionFile.test(file))
          )
        )
      )
    )
  )
  return found.flat()
})

const idsIn = (text: string): Array<string> => outlineOf(text).calls.map(({ flow }) => flow)

/** The versions of a flow in the first folder that has any. */
const versionsOf = Effect.fnUntraced(function* (id: string, folders: ReadonlyArray<string>) {
  const path = yield* Path.Path
  // The id comes from a file that has not been checked yet.
  if (!/^[a-z][a-z0-9-]*$/u.test(id)) return []
  for (const folder of folders) {
    const texts = yield* textsIn(path.join(folder, id), id)
    if (texts.length > 0) return texts
  }
  return []
})

const textsIn = Effect.fnUntraced(function* (folder: string, id: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
  const texts = yield* Effect.forEach(
    names.filter((name) => isVersionFile.test(name)).sort(),
    Effect.fnUntraced(function* (name) {
      const file = path.join(folder, name)
      const text = yield* Effect.result(fs.readFileString(file))
      const version = name.replace(/\.ya?ml$/u, "")
      return Result.isFailure(text) ? [] : [{ id, version, file, text: text.success } satisfies FlowText]
    })
  )
  return texts.flat()
})

/** Embedding programs have no `Settings`; this default is the same. */
const flowsDir = Effect.orElseSucceed(Config.String("DOCFLOW_FLOWS_DIR"), () => ownOrShipped("flows"))

/** Checks the text of a flow file, with the flows that it calls. */
export const checkFile = Effect.fn("Flows.checkFile")(function* (
  text: string,
  file: string,
  registry: StepRegistry<never>
) {
  const { ids, texts } = yield* flowsAround(file, text, yield* flowsDir)
  const library = new FlowLibrary<never>(texts, {
    registry,
    known: ids,
    formats: DocumentReader.formats,
    sha256: (content) => hash("sha256", content)
  })
  const { id = "", version = "" } = outlineOf(text)
  return library.check({ id, version, file, text })
})
