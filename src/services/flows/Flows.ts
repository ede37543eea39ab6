import { Context, Effect, Layer, Option, Ref, Result } from "effect"
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
import { allPublished, publish, type PublishedVersion, textsOf } from "./PublishedVersions.ts"
import { detailOf, type FlowVersions, itemOf, latestOf, newestFirst, type PublishedFlow } from "./FlowSet.ts"

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
  readonly flow: PublishedFlow | undefined
  readonly problems: ReadonlyArray<Problem>
}

/** Flows that may call each other, and their published versions. */
interface Library {
  readonly check: (text: FlowText) => Result.Result<RunnableFlow, ReadonlyArray<Problem>>
  readonly published: ReadonlyMap<string, PublishedVersion>
}

const keyOf = ({ id, version }: FlowFile): string => `${id} ${version}`

/** Whether a file need not be checked again. One with problems must be: they may belong to a flow that it calls. */
const isUnchanged = (known: SeenFile, { text }: FlowFile): boolean =>
  known.text === text && known.problems.length === 0

type Served = ReadonlyMap<string, FlowVersions>

/** The flows that are served: checked, published once, and found by the engine. */
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
     * Checks flow files and serves exactly those without problems. A version whose file now has problems, such as
     * changed content, is still served as it was published.
     */
    serve(files: ReadonlyArray<FlowFile>): Effect.Effect<ReadonlyArray<Problem>, SqlError.SqlError>
    /** The files of the last call of `serve`, with what is served of each and its problems. */
    readonly files: Effect.Effect<ReadonlyArray<SeenFile>>
    /** Checks the text of a flow, which may call the flows of the files, without serving it. */
    check(text: string): Effect.Effect<Result.Result<RunnableFlow, ReadonlyArray<Problem>>, SqlError.SqlError>
  }
>()("docflow/Flows") {
  /** `formats` are the supported MIME types. */
  static readonly layer = (formats: ReadonlyArray<string>) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const registry = yield* StepKinds
        const served = yield* Ref.make<Served>(new Map())
        let seen: ReadonlyMap<string, SeenFile> = new Map()

        /** The flows of some files and all published ones, ready to be checked together. */
        const libraryOf = Effect.fnUntraced(function* (files: ReadonlyArray<FlowFile>) {
          const published = yield* Effect.provideService(allPublished, SqlClient.SqlClient, sql)
          const library = new FlowLibrary<never>(textsOf(files, published), {
            registry,
            formats,
            sha256: (content) => hash("sha256", content)
          })
          return {
            check: (text: FlowText) => library.check(text),
            published: new Map(published.map((one) => [`${one.flow_id} ${one.version}`, one]))
          } satisfies Library
        })

        const versions = Effect.fnUntraced(function* (flowId: string) {
          const found = (yield* Ref.get(served)).get(flowId)
          return found ?? (yield* new FlowNotFound({ message: `Flow not found: ${flowId}` }))
        })

        const published = Effect.fnUntraced(function* (flowId: string, version: string | undefined) {
          const all = yield* versions(flowId)
          const found = all.get(version ?? latestOf(all))
          if (found !== undefined) return { all, found }
          return yield* new VersionNotFound({ message: `Version not found: ${flowId} ${version ?? ""}` })
        })

        const list = (page: Page) =>
          Effect.map(Ref.get(served), (flows) => {
            const items = [...flows.values()].flatMap((all) => {
              const latest = all.get(latestOf(all))
              return latest === undefined ? [] : [itemOf(all, latest)]
            })
            const sorted = items.sort(newestFirst)
            return { flows: sorted.slice(page.offset, page.offset + page.limit), total: items.length }
          })

        const get = Effect.fn("Flows.get")((flowId: string, version?: string) =>
          Effect.map(published(flowId, version), ({ all, found }) => detailOf(all, found))
        )

        const resolve = (flowId: string, version?: string) =>
          Effect.map(published(flowId, version), ({ found }) => found.flow)

        /** What a file adds to the served flows, and its problems. */
        const serveText = Effect.fnUntraced(function* (file: FlowFile, library: Library) {
          const before = library.published.get(keyOf(file))
          const asPublished = (version: PublishedVersion | undefined) => {
            const flow =
              version === undefined
                ? undefined
                : Result.getOrUndefined(library.check({ ...file, text: version.source, pins: version.pins }))
            return flow === undefined || version === undefined
              ? undefined
              : { flow, publishedAt: version.published_at }
          }
          const checked = library.check({ ...file, pins: before?.pins })
          if (Result.isFailure(checked)) return { flow: asPublished(before), problems: checked.failure }
          const flow = checked.success
          const misplaced = placeProblem(file, flow)
          if (misplaced !== undefined) return { flow: undefined, problems: [misplaced] }
          const row =
            before ?? (yield* Effect.provideService(publish(flow, file.text), SqlClient.SqlClient, sql))
          const isSettled = canonicalJson(row.pins) === canonicalJson(pinsOf(flow))
          const same = isSettled ? { flow, publishedAt: row.published_at } : asPublished(row)
          if (row.hash === flow.hash) return { flow: same, problems: [] }
          // A later docflow may serialize the same flow differently, so what was published is parsed by this one, too.
          const published = asPublished(row)
          return published?.flow.hash === flow.hash
            ? { flow: same, problems: [] }
            : { flow: published, problems: [changedProblem(file, row.published_at, published !== undefined)] }
        })

        const serveOne = Effect.fnUntraced(function* (file: FlowFile, library: Library) {
          const known = seen.get(file.file)
          if (known !== undefined && isUnchanged(known, file)) return known
          return { ...file, ...(yield* serveText(file, library)) }
        })

        const serve = Effect.fn("Flows.serve")(function* (files: ReadonlyArray<FlowFile>) {
          const library = yield* libraryOf(files)
          const results = yield* Effect.forEach(files, (file) => serveOne(file, library))
          seen = new Map(results.map((result, index) => [files[index]?.file ?? "", result]))
          const flows = new Map<string, Map<string, PublishedFlow>>()
          for (const { flow } of results) {
            if (flow === undefined) continue
            const { id, version } = flow.flow.definition
            flows.set(id, (flows.get(id) ?? new Map()).set(version, flow))
          }
          yield* Ref.set(served, flows)
          return results.flatMap(({ problems }) => problems)
        })

        const checkText = Effect.fn("Flows.check")(function* (text: string) {
          const library = yield* libraryOf([...seen.values()])
          const { id = "", version = "" } = outlineOf(text)
          return library.check({ id, version, file: `${id}/${version}.yaml`, text })
        })

        /** An execution continues with the version that it started with, even if its file no longer exists. */
        const find = Effect.fnUntraced(function* (flowId: string, version: string) {
          const found = (yield* Ref.get(served)).get(flowId)?.get(version)
          if (found !== undefined) return Option.some(found.flow)
          const library = yield* Effect.orDie(libraryOf([]))
          if (isDraft(version)) {
            const draft = Effect.provideService(storedDraft(flowId, version), SqlClient.SqlClient, sql)
            const text = yield* Effect.orDie(draft)
            if (Option.isSome(text)) return Result.getSuccess(library.check(text.value))
          }
          const published = library.published.get(`${flowId} ${version}`)
          if (published === undefined) return Option.none()
          const { pins, source } = published
          const file = `${flowId}/${version}.yaml`
          return Result.getSuccess(library.check({ id: flowId, version, file, text: source, pins }))
        })

        return Context.make(
          Flows,
          Flows.of({
            list,
            get,
            resolve,
            serve,
            check: checkText,
            files: Effect.sync(() => [...seen.values()])
          })
        ).pipe(Context.add(FlowCatalog, FlowCatalog.of({ find })))
      })
    )
}
