import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import { outlineOf, pinsOf } from "../../../dsl/model/FlowCalls.ts"
import { FlowLibrary, type FlowText } from "../../../dsl/check/FlowLibrary.ts"
import type { Problem } from "../../../dsl/source/Problem.ts"
import { FlowNotFound, VersionNotFound } from "../../domain/Errors.ts"
import type { FlowDetail, FlowItem } from "../../domain/FlowItem.ts"
import { FlowCatalog, type RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { StepKinds } from "../../engine/program/StepKinds.ts"
import { isDraft, storedDraft } from "./DraftVersions.ts"
import type { FlowFile } from "./FlowFiles.ts"
import {
  keyOf,
  publish,
  type PublishedVersion,
  publishedOf,
  textOf,
  withPinned
} from "./PublishedVersions.ts"
import {
  detailOf,
  type FlowVersions,
  itemOf,
  latestOf,
  newestFirst,
  type Checked,
  type ServedVersion
} from "./FlowSet.ts"

const problemAtTop = (file: FlowFile, path: string, message: string, suggestion: string): Problem => ({
  file: file.file,
  line: 1,
  column: 1,
  path,
  message,
  suggestion
})

/** The problem of a file whose id or version differs from its path. */
const placeProblem = (file: FlowFile, { definition: { id, version } }: RunnableFlow): Problem | undefined =>
  id === file.id && version === file.version
    ? undefined
    : problemAtTop(
        file,
        id === file.id ? "version" : "id",
        `The file contains ${id} ${version}, but its path says ${file.id} ${file.version}.`,
        `Move it to ${id}/${version}.yaml.`
      )

/** The problem of a file whose version has been published with different content, which is served if it is still valid. */
const changedProblem = (file: FlowFile, publishedAt: Date, isServed: boolean): Problem =>
  problemAtTop(
    file,
    "version",
    `${file.id} ${file.version} was published on ${publishedAt.toISOString().slice(0, 10)} with different content, and a published version never changes. ${isServed ? "The published content is served, not this file." : "The published content is no longer valid, so this version is not served."}`,
    "Move the changed flow to a file with a new version; `docflow plan <file>` prints its number."
  )

interface Page {
  readonly limit: number
  readonly offset: number
}

/** A file as last read, with the result of its check, which is reused while the file is unchanged. */
export interface SeenFile extends FlowFile {
  /** What is served from it; if it has problems, what was published before. */
  readonly served: ServedVersion | undefined
  readonly problems: ReadonlyArray<Problem>
  /** Whether this docflow has checked it; what was published before is served at once. */
  readonly isChecked: boolean
}

/** Whether a file need not be looked at again. One with problems must be: they may belong to a flow that it calls. */
const isUnchanged = (known: SeenFile | undefined, { text }: FlowFile): known is SeenFile =>
  known?.text === text && known.problems.length === 0

const problemsOf = (files: ReadonlyMap<string, SeenFile>): ReadonlyArray<Problem> =>
  [...files.values()].flatMap(({ problems }) => problems)

/** Checks of what is served anyway take at most a fifth of the time. */
const restFactor = 4

/** The flows that are served: published once, checked, and found by the engine. */
export class Flows extends Context.Service<
  Flows,
  {
    /** One page of the flows, newest first, and how many there are. */
    list(page: Page): Effect.Effect<{ readonly flows: ReadonlyArray<FlowItem>; readonly total: number }>
    /** A version of a flow as the API shows it; the latest when none is named. */
    get(flowId: string, version?: string): Effect.Effect<FlowDetail, FlowNotFound | VersionNotFound>
    /** A version of a flow, ready to run. */
    resolve(flowId: string, version?: string): Effect.Effect<RunnableFlow, FlowNotFound | VersionNotFound>
    /**
     * Serves exactly the flow files without problems. A version whose file now has problems, such as changed content, is
     * still served as it was published. A file that still has its published content is checked when it is first used.
     */
    serve(files: ReadonlyArray<FlowFile>): Effect.Effect<ReadonlyArray<Problem>, SqlError.SqlError>
    /** Checks what is served unchecked, slowly, and serves no longer what has problems; returns all problems. */
    readonly checkServed: Effect.Effect<ReadonlyArray<Problem>>
    /** The files of the last call of `serve`, with what is served of each and its problems. */
    readonly files: Effect.Effect<ReadonlyArray<SeenFile>>
    /** Checks the text of a flow, which may call the flows of the files, without serving it. */
    check(text: string): Effect.Effect<Checked>
  }
>()("docflow/Flows") {
  /** `formats` are the supported MIME types. */
  static readonly layer = (formats: ReadonlyArray<string>) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const registry = yield* StepKinds
        const withSql = Effect.provideService(SqlClient.SqlClient, sql)
        const libraryOf = (texts: Iterable<FlowText>) =>
          new FlowLibrary<never>(texts, {
            registry,
            formats,
            sha256: (content) => hash("sha256", content)
          })
        let library = libraryOf([])
        let served = new Map<string, Map<string, ServedVersion>>()
        let seen = new Map<string, SeenFile>()

        const stopServing = ({ text: { id, version } }: ServedVersion): void => {
          const versions = served.get(id)
          versions?.delete(version)
          if (versions?.size === 0) served.delete(id)
        }

        /** A served version; if the latest turns out to have problems, the one before it. */
        const usable = Effect.fnUntraced(function* (flowId: string, version: string | undefined) {
          for (;;) {
            const all: FlowVersions | undefined = served.get(flowId)
            if (all === undefined) return yield* new FlowNotFound({ message: `Flow not found: ${flowId}` })
            const found = all.get(version ?? latestOf(all))
            if (found === undefined) {
              return yield* new VersionNotFound({ message: `Version not found: ${flowId} ${version ?? ""}` })
            }
            const checked = found.check()
            if (Result.isSuccess(checked)) return { all, found, flow: checked.success }
            stopServing(found)
          }
        })

        const list = (page: Page) =>
          Effect.sync(() => {
            const items = [...served.values()].flatMap((all) => {
              const latest = all.get(latestOf(all))
              return latest === undefined ? [] : [itemOf(all, latest)]
            })
            const sorted = items.sort(newestFirst)
            return { flows: sorted.slice(page.offset, page.offset + page.limit), total: items.length }
          })

        const get = Effect.fn("Flows.get")((flowId: string, version?: string) =>
          Effect.map(usable(flowId, version), ({ all, flow, found }) => detailOf(all, found, flow))
        )

        const resolve = (flowId: string, version?: string) =>
          Effect.map(usable(flowId, version), ({ flow }) => flow)

        const servedOf = (
          text: FlowText,
          { description, name, published_at }: PublishedVersion,
          flow?: RunnableFlow
        ): ServedVersion => {
          let checked: Checked | undefined = flow === undefined ? undefined : Result.succeed(flow)
          const check = () => (checked ??= library.check(text))
          return { text, name, description, publishedAt: published_at, check }
        }

        /** What a file adds to the served flows, and its problems. */
        const serveText = Effect.fnUntraced(function* (file: FlowFile, before: PublishedVersion | undefined) {
          const asPublished = (row: PublishedVersion | undefined) => {
            if (row === undefined) return undefined
            const text = textOf(row, file.file)
            const flow = Result.getOrUndefined(library.check(text))
            return flow === undefined ? undefined : { flow, served: servedOf(text, row, flow) }
          }
          const checked = library.check({ ...file, pins: before?.pins })
          if (Result.isFailure(checked)) {
            return { served: asPublished(before)?.served, problems: checked.failure }
          }
          const flow = checked.success
          const misplaced = placeProblem(file, flow)
          if (misplaced !== undefined) return { served: undefined, problems: [misplaced] }
          const row = before ?? (yield* publish(flow, file.text).pipe(withSql))
          const isSettled = canonicalJson(row.pins) === canonicalJson(pinsOf(flow))
          // A later docflow may serialize the same flow differently, so what was published is parsed by this one, too.
          const published = isSettled && row.hash === flow.hash ? undefined : asPublished(row)
          const same = isSettled ? servedOf({ ...file, pins: row.pins }, row, flow) : published?.served
          if (row.hash === flow.hash || published?.flow.hash === flow.hash) {
            return { served: same, problems: [] }
          }
          return {
            served: published?.served,
            problems: [changedProblem(file, row.published_at, published !== undefined)]
          }
        })

        const serveOne = Effect.fnUntraced(function* (file: FlowFile, row: PublishedVersion | undefined) {
          const known = seen.get(file.file)
          if (isUnchanged(known, file)) return known
          if (known === undefined && row?.source === file.text) {
            const asBefore = servedOf(textOf(row, file.file), row)
            return { ...file, served: asBefore, problems: [], isChecked: false }
          }
          return { ...file, ...(yield* serveText(file, row)), isChecked: true }
        })

        const serve = Effect.fn("Flows.serve")(function* (files: ReadonlyArray<FlowFile>) {
          const changed = files.filter((file) => !isUnchanged(seen.get(file.file), file))
          const published = yield* withSql(publishedOf(changed))
          const texts = files.map((file) => {
            const row = published.get(keyOf(file))
            return row === undefined ? (seen.get(file.file)?.served?.text ?? file) : textOf(row, file.file)
          })
          library = libraryOf(yield* withSql(withPinned(texts)))
          const results = yield* Effect.forEach(files, (file) => serveOne(file, published.get(keyOf(file))))
          seen = new Map(results.map((result) => [result.file, result]))
          served = new Map()
          for (const { served: version } of results) {
            if (version === undefined) continue
            const { id } = version.text
            served.set(id, (served.get(id) ?? new Map()).set(version.text.version, version))
          }
          return problemsOf(seen)
        })

        const checkServed = Effect.gen(function* () {
          const files = seen
          for (const file of files.values()) {
            if (file.isChecked || file.served === undefined) continue
            const { text } = file.served
            const [took, checked] = yield* Effect.timed(Effect.sync(() => library.check(text)))
            const problems = Result.isFailure(checked) ? checked.failure : []
            if (problems.length > 0) stopServing(file.served)
            const result = problems.length > 0 ? { served: undefined, problems } : {}
            files.set(file.file, { ...file, ...result, isChecked: true })
            yield* Effect.sleep(Duration.times(took, restFactor))
            if (files !== seen) break
          }
          return problemsOf(seen)
        })

        const check = (text: string) =>
          Effect.sync(() => {
            const { id = "", version = "" } = outlineOf(text)
            return library.check({ id, version, file: `${id}/${version}.yaml`, text })
          })

        /** The text of a version whose file no longer exists, or of a draft. */
        const storedText = Effect.fnUntraced(function* (id: string, version: string) {
          if (isDraft(version)) return yield* storedDraft(id, version)
          const row = (yield* publishedOf([{ id, version }])).get(keyOf({ id, version }))
          return Option.map(Option.fromUndefinedOr(row), (found) => textOf(found))
        })

        /** An execution continues with the version that it started with, even if its file no longer exists. */
        const find = Effect.fnUntraced(
          function* (flowId: string, version: string) {
            const found = served.get(flowId)?.get(version)
            if (found !== undefined) return Result.getSuccess(found.check())
            const stored = yield* storedText(flowId, version)
            if (Option.isNone(stored)) return Option.none()
            const texts = yield* withPinned([stored.value])
            return Result.getSuccess(libraryOf(texts).check(stored.value))
          },
          withSql,
          Effect.orDie
        )

        return Context.make(
          Flows,
          Flows.of({
            list,
            get,
            resolve,
            serve,
            checkServed,
            check,
            files: Effect.sync(() => [...seen.values()])
          })
        ).pipe(Context.add(FlowCatalog, FlowCatalog.of({ find })))
      })
    )
}
