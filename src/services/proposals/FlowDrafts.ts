import { Context, Effect, type FileSystem, Layer, Path, Result, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { complete, type Completion } from "../../../dsl/tools/Complete.ts"
import { editorSchema } from "../../../dsl/tools/EditorSchema.ts"
import { followed, type Plan, plan } from "../../../dsl/tools/Plan.ts"
import type { Problem } from "../../../dsl/source/Problem.ts"
import { Settings, isShipped } from "../../config/Config.ts"
import { durableWriter } from "../../support/WriteDurably.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import { Forbidden, ValidationFailed } from "../../domain/Errors.ts"
import { FlowCatalog, type RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { StepKinds } from "../../engine/program/StepKinds.ts"
import { LocalRuns } from "../local-runs/LocalRuns.ts"
import { Audit } from "../storage/Audit.ts"
import { openSet } from "../test-sets/OpenSets.ts"
import { whySetFails } from "../test-sets/RunSet.ts"
import { draftVersion, isDraft, storeDraft, withVersion } from "../flows/DraftVersions.ts"
import { Flows, type SeenFile } from "../flows/Flows.ts"

/** How long the test sets of a flow may run before it is saved. */
const testTime = "10 minutes"

/** The result of checking the source of a flow, and the version that it needs. */
export interface CheckedDraft {
  readonly problems: ReadonlyArray<Problem>
  readonly flow: RunnableFlow | undefined
  readonly plan: (Plan & { readonly previous: string | undefined }) | undefined
}

/** Flows that are edited in a browser: checked, run without being saved, saved as a new version. */
export class FlowDrafts extends Context.Service<
  FlowDrafts,
  {
    /** Whether drafts may be run and saved. */
    readonly allowed: boolean
    check(source: string): Effect.Effect<CheckedDraft, SqlError.SqlError>
    /** The words that fit at a position of a source, which may be incomplete. */
    complete(source: string, position: number): Effect.Effect<Completion, Forbidden>
    /** Stores a draft under its own version, so that it can be run. ValidationFailed for a source with problems. */
    store(source: string): Effect.Effect<RunnableFlow, Forbidden | ValidationFailed | SqlError.SqlError>
    /** The draft that a request names; undefined for another version, and for keys, which run no drafts. */
    forCaller(
      caller: Caller,
      flowId: string,
      version: string | undefined
    ): Effect.Effect<RunnableFlow | undefined, Forbidden>
    /**
     * Saves a new version in the flows folder, and waits briefly until it is served. ValidationFailed for a source with
     * problems, an existing version, one that is too low for the changes, or one that does not pass its `tests`.
     */
    save(source: string): Effect.Effect<RunnableFlow, Forbidden | ValidationFailed | SqlError.SqlError>
  }
>()("docflow/FlowDrafts") {
  static readonly layer = Layer.effect(
    FlowDrafts,
    Effect.gen(function* () {
      const { flowEditing, flowsDir } = yield* Settings
      const write = yield* durableWriter
      const path = yield* Path.Path
      const sql = yield* SqlClient.SqlClient
      const flows = yield* Flows
      const catalog = yield* FlowCatalog
      const audit = yield* Audit
      const allowed = flowEditing === "on"
      const gate = allowed
        ? Effect.void
        : new Forbidden({ message: "Editing flows is turned off. Set DOCFLOW_FLOW_EDITING=on to allow it" })

      const check = Effect.fn("FlowDrafts.check")(function* (source: string) {
        const checked = yield* flows.check(source)
        if (Result.isFailure(checked)) {
          return { problems: checked.failure, flow: undefined, plan: undefined } satisfies CheckedDraft
        }
        const flow = checked.success
        const files = yield* flows.files
        return { problems: [], flow, plan: planFor(flow, files) } satisfies CheckedDraft
      })

      const kinds = yield* StepKinds
      const editor = yield* Effect.cached(
        Effect.sync(() => ({ registry: kinds, schema: editorSchema(kinds) }))
      )
      const completeAt = Effect.fn("FlowDrafts.complete")(function* (source: string, position: number) {
        yield* gate
        return complete(source, position, yield* editor)
      })

      const checked = Effect.fnUntraced(function* (source: string) {
        yield* gate
        const found = yield* check(source)
        if (found.flow === undefined) return yield* faulty(found.problems)
        return { ...found, flow: found.flow }
      })

      const store = Effect.fn("FlowDrafts.store")(function* (source: string) {
        const { flow } = yield* checked(source)
        const draft = withVersion(source, draftVersion(flow, source))
        if (draft === undefined) {
          return yield* invalid(
            "The version cannot be replaced. Write it in one line, such as version: 1.0.0"
          )
        }
        const made = yield* checked(draft)
        yield* Effect.provideService(storeDraft(made.flow, draft), SqlClient.SqlClient, sql)
        return made.flow
      })

      const forCaller: FlowDrafts["Service"]["forCaller"] = Effect.fnUntraced(function* (
        { keyId },
        flowId,
        version
      ) {
        if (keyId !== undefined || version === undefined || !isDraft(version)) return undefined
        yield* gate
        const found = yield* catalog.find(flowId, version)
        return found._tag === "Some" ? found.value : undefined
      })

      const local = yield* Effect.context<LocalRuns | FileSystem.FileSystem | Path.Path>()
      /** Runs the test sets that a flow names; ValidationFailed with the documents that fail. */
      const passesTests = Effect.fn("FlowDrafts.tests")(
        function* ({ definition: { id, tests = [], version } }: RunnableFlow, source: string, file: string) {
          if (tests.length === 0) return
          const flow = yield* (yield* LocalRuns).compile(source, file)
          const failed = yield* Effect.forEach(tests, (name) =>
            Effect.flatMap(openSet(path.join(path.dirname(file), "tests", name), flow), (set) =>
              whySetFails(flow, set, name)
            )
          )
          const reasons = failed.flatMap((why) => why ?? [])
          if (reasons.length > 0)
            return yield* invalid(
              `Version ${version} of ${id} does not pass its tests. ${reasons.join("\n")}`
            )
        },
        Effect.catchTags({
          FlowProblems: ({ message }) => invalid(message),
          TestSetProblems: ({ message }) => invalid(`The tests of the flow cannot be run. ${message}`)
        }),
        Effect.timeoutOrElse({
          duration: testTime,
          orElse: () =>
            invalid(
              `The tests of the flow took more than ${testTime}. Name fewer documents, or run docflow test and put the file into the flows folder`
            )
        }),
        Effect.provideContext(local)
      )

      const save = Effect.fn("FlowDrafts.save")(function* (source: string) {
        const { flow, plan: needed } = yield* checked(source)
        const { id, version } = flow.definition
        yield* checkTarget(flowsDir, version)
        const files = yield* flows.files
        const published = yield* catalog.find(id, version)
        if (published._tag === "Some" || files.some((file) => file.id === id && file.version === version)) {
          return yield* invalid(
            `Version ${version} of ${id} already exists. Change the version, for example to ${needed?.needs ?? "a higher one"}`
          )
        }
        if (needed !== undefined && !needed.ok) {
          return yield* invalid(
            `Version ${version} is too low after ${needed.previous ?? "the one before"}: it must be ${needed.needs ?? "higher"} or higher`
          )
        }
        const file = path.join(flowsDir, id, `${version}.yaml`)
        yield* passesTests(flow, source, file)
        yield* Effect.mapError(write(file, source, { isNew: true }), ({ message }) =>
          invalid(`The version cannot be written to the flows folder: ${message}`)
        )
        yield* audit.record({ action: "flow.saved", subject: `${id} ${version}` })
        const served = Effect.retry(flows.resolve(id, version), {
          schedule: Schedule.spaced("100 millis"),
          times: 30
        })
        return yield* Effect.orElseSucceed(served, () => flow)
      })

      return FlowDrafts.of({ allowed, check, complete: completeAt, store, forCaller, save })
    })
  )
}

const invalid = (message: string) =>
  new ValidationFailed({ message, details: { field: "source", reason: message } })

const faulty = (problems: ReadonlyArray<Problem>) => {
  const [first] = problems
  const place = first === undefined ? "" : ` Line ${first.line}: ${first.message}`
  return invalid(
    `The flow has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.${place}`
  )
}

const checkTarget = (flowsDir: string, version: string) => {
  if (isShipped(flowsDir, "flows")) {
    return invalid(
      "The service uses the flows that ship with docflow. Copy them into a folder of your own and set DOCFLOW_FLOWS_DIR"
    )
  }
  return isDraft(version)
    ? invalid("The version is that of a draft. Give it a version of its own")
    : Effect.void
}

/** The flow that is served from a file. */
export const flowOf = ({ served }: SeenFile): RunnableFlow | undefined =>
  served === undefined ? undefined : Result.getOrUndefined(served.check())

/** What changed since the served version that a flow follows, and the version that it needs. */
export const planFor = (flow: RunnableFlow, files: ReadonlyArray<SeenFile>): CheckedDraft["plan"] => {
  const { id, version } = flow.definition
  const served = files.filter((file) => file.id === id && file.served !== undefined)
  const previous = followed(
    version,
    served.map((file) => file.version)
  )
  const before = served.find((file) => file.version === previous)
  return { ...plan(flow, before === undefined ? undefined : flowOf(before)), previous }
}
