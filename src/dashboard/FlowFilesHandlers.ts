import { diffLines } from "diff"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { highestFirst, latestVersion } from "../../dsl/model/Words.ts"
import type { Problem } from "../../dsl/source/Problem.ts"
import { graphOf } from "../../dsl/tools/Graph.ts"
import { CurrentPerson } from "../api/Gate.ts"
import { NotFound } from "../api/AdminParts.ts"
import { defined } from "../support/Defined.ts"
import { Forbidden } from "../domain/Errors.ts"
import { includesRole } from "../domain/User.ts"
import { type CheckedDraft, FlowDrafts, flowOf, planFor } from "../services/proposals/FlowDrafts.ts"
import { Flows, type SeenFile } from "../services/flows/Flows.ts"
import type { Changes, DiffPart, FileProblem, FlowFileView, ListedFlow } from "./FlowFilesGroup.ts"
import { ServedDashboardApi } from "./DashboardApi.ts"

/** The flows of the folder, with the problems of files that are not served; drafts are checked, stored and saved. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "flow-files",
  Effect.fn(function* (handlers) {
    const flows = yield* Flows
    const drafts = yield* FlowDrafts
    /** Whether the person may edit flows, and the settings allow it. */
    const canEdit = Effect.map(
      CurrentPerson,
      ({ role }) => drafts.allowed && includesRole(role, "administrator")
    )

    return handlers
      .handle("list", () =>
        Effect.gen(function* () {
          return { flows: listed(yield* flows.files), canEdit: yield* canEdit }
        })
      )
      .handle("get", ({ params: { id }, query: { version } }) =>
        Effect.gen(function* () {
          const own = (yield* flows.files).filter((file) => file.id === id)
          const wanted = version ?? latestOf(own)
          const file = own.find((one) => one.version === wanted)
          if (file === undefined) return yield* new NotFound({ message: "Flow not found" })
          return { ...viewOf(file, own), canEdit: yield* canEdit }
        })
      )
      .handle("diff", ({ params: { id }, query: { from, to } }) =>
        Effect.gen(function* () {
          const own = (yield* flows.files).filter((file) => file.id === id)
          const textOf = (version: string) => own.find((file) => file.version === version)?.text
          const [before, after] = [textOf(from), textOf(to)]
          if (before === undefined || after === undefined) {
            return yield* new NotFound({ message: "Flow not found" })
          }
          return { parts: diffOf(before, after) }
        })
      )
      .handle("complete", ({ payload: { position, source } }) => drafts.complete(source, position))
      .handle("check", ({ payload: { source } }) =>
        drafts.allowed
          ? Effect.map(drafts.check(source), ({ flow, plan, problems }) => ({
              id: flow?.definition.id ?? null,
              version: flow?.definition.version ?? null,
              problems: problems.map(problemOf),
              graph: flow === undefined ? null : graphOf(flow.definition),
              changes: changesOf(plan)
            }))
          : new Forbidden({ message: "Editing flows is turned off" })
      )
      .handle("draft", ({ payload: { source } }) => Effect.map(drafts.store(source), nameOf))
      .handle("save", ({ payload: { source } }) => Effect.map(drafts.save(source), nameOf))
  })
)

/** Versions that differ in more lines are shown whole, one after the other: comparing them would take long. */
const mostEdits = 2_000

const linesOf = (text: string): ReadonlyArray<string> => text.replace(/\n$/u, "").split("\n")

/** The lines of two versions, as few as possible of them added or removed. */
const diffOf = (before: string, after: string): ReadonlyArray<DiffPart> => {
  const parts = diffLines(before, after, { maxEditLength: mostEdits })
  if (parts === undefined) {
    return [
      { change: "removed", lines: linesOf(before) },
      { change: "added", lines: linesOf(after) }
    ]
  }
  return parts.map(({ added, removed, value }) => ({
    change: added ? "added" : removed ? "removed" : "same",
    lines: linesOf(value)
  }))
}

const nameOf = ({
  definition: { id, version }
}: {
  readonly definition: { readonly id: string; readonly version: string }
}) => ({
  id,
  version
})

/** The position of a problem in its file; the file itself is known. */
const problemOf = ({ column, line, message, path, suggestion }: Problem): FileProblem => ({
  line,
  column,
  path,
  message,
  ...defined({ suggestion })
})

const changesOf = (plan: CheckedDraft["plan"]): Changes | null =>
  plan === undefined
    ? null
    : { previous: plan.previous ?? null, reasons: plan.reasons, ok: plan.ok, needs: plan.needs ?? null }

/** The version that is shown first: the latest that is served, or else the latest that there is. */
const latestOf = (files: ReadonlyArray<SeenFile>): string | undefined => {
  const served = files.filter((file) => file.served !== undefined)
  return latestVersion((served.length > 0 ? served : files).map(({ version }) => version))
}

const latestItem = (files: ReadonlyArray<SeenFile>): ListedFlow["latest"] => {
  const latest = latestOf(files)
  const found = files.find(({ version }) => version === latest)?.served
  return found === undefined
    ? null
    : { version: found.text.version, name: found.name, description: found.description }
}

const problemsOf = (files: ReadonlyArray<SeenFile>): number =>
  files.reduce((sum, { problems }) => sum + problems.length, 0)

const listed = (files: ReadonlyArray<SeenFile>): ReadonlyArray<ListedFlow> =>
  [...Map.groupBy(files, ({ id }) => id)]
    .map(([id, own]) => ({
      id,
      latest: latestItem(own),
      versions: own.length,
      problems: problemsOf(own)
    }))
    .sort((one, other) => one.id.localeCompare(other.id))

const viewOf = (file: SeenFile, own: ReadonlyArray<SeenFile>): Omit<FlowFileView, "canEdit"> => {
  const { served } = file
  const flow = flowOf(file)
  const versions = highestFirst(own.map(({ version }) => version))
  const before = new Set(versions.slice(versions.indexOf(file.version) + 1))
  const earlier = own.filter(({ version }) => before.has(version))
  return {
    id: file.id,
    version: file.version,
    versions: versions.map((version) => ({
      version,
      problems: problemsOf(own.filter((one) => one.version === version))
    })),
    latest: latestItem(own),
    publishedAt: served?.publishedAt.toISOString() ?? null,
    source: file.text,
    problems: file.problems.map(problemOf),
    graph: flow === undefined ? null : graphOf(flow.definition),
    changes: flow === undefined ? null : changesOf(planFor(flow, earlier)),
    schema: flow === undefined ? null : { input: flow.inputSchema, output: flow.outputSchema }
  }
}
