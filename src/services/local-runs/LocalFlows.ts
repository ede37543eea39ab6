import { Effect, Option, Schema } from "effect"
import { didYouMean } from "../../../dsl/source/Nearest.ts"
import { latestVersion } from "../../../dsl/model/Words.ts"
import { flowsFolder } from "../../config/Config.ts"
import { type FlowFile, readFlowFiles } from "../flows/FlowFiles.ts"
import { LocalRuns } from "./LocalRuns.ts"

/** The flows folder has no such flow, or no such version of it. */
export class UnknownFlow extends Schema.TaggedError<UnknownFlow>()("UnknownFlow", {
  message: Schema.String
}) {}

/** The flow files of the flows folder; none if the folder cannot be read. */
export const localFlowFiles = Effect.gen(function* () {
  const folder = yield* Effect.orDie(flowsFolder)
  return yield* Effect.orElseSucceed(readFlowFiles(folder), (): ReadonlyArray<FlowFile> => [])
})

/** The newest file of each flow, in the order of their ids. */
export const newestFlowFiles = Effect.map(localFlowFiles, (files) =>
  [...Map.groupBy(files, ({ id }) => id).values()].flatMap((versions) => {
    const newest = latestVersion(versions.map(({ version }) => version))
    return versions.filter(({ version }) => version === newest)
  })
)

/** A suggestion for the id of a flow that does not exist: a similar id, or all of them. */
export const flowAdvice = (id: string, ids: Iterable<string>): string => {
  const all = [...new Set(ids)].sort()
  const known = all.length === 0 ? "There are no flows." : `Flows: ${all.join(", ")}.`
  return didYouMean(id, all) ?? known
}

/** The file of a flow: of the version, or of the newest. */
export const localFlowFile = Effect.fnUntraced(function* (id: string, version?: string) {
  const all = yield* localFlowFiles
  const files = all.filter((file) => file.id === id)
  const wanted = version ?? latestVersion(files.map((file) => file.version))
  const found = Option.fromUndefinedOr(files.find((file) => file.version === wanted))
  if (Option.isSome(found)) return found.value
  const advice = flowAdvice(
    id,
    all.map((file) => file.id)
  )
  return yield* new UnknownFlow({
    message:
      files.length === 0
        ? `Unknown flow "${id}". ${advice}`
        : `Unknown version ${version ?? ""} of the flow ${id}. Versions: ${files.map((file) => file.version).join(", ")}.`
  })
})

/** A flow of the flows folder, checked. */
export const localFlow = Effect.fnUntraced(function* (id: string, version?: string) {
  const runs = yield* LocalRuns
  const file = yield* localFlowFile(id, version)
  return yield* runs.compile(file.text, file.file)
})
