import { Context, DateTime, Effect, Layer, Option, Ref, Result, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { check } from "../dsl/Check.ts"
import type { Problem } from "../dsl/Problem.ts"
import { FlowNotFound, VersionNotFound } from "./domain/Errors.ts"
import type { FlowDetail, FlowItem } from "./domain/Flow.ts"
import { FlowCatalog, type RunnableFlow } from "./engine/FlowCatalog.ts"
import { StepKinds } from "./engine/StepKinds.ts"
import type { FlowFile } from "./Flows/FlowFiles.ts"
import {
  detailOf,
  type FlowVersions,
  itemOf,
  latestOf,
  newestFirst,
  type PublishedFlow
} from "./Flows/FlowSet.ts"

interface Page {
  readonly limit: number
  readonly offset: number
}

const VersionRow = Schema.Struct({ hash: Schema.String, source: Schema.String, published_at: Schema.Date })

type Served = ReadonlyMap<string, FlowVersions>

/** The flows that are served: checked, published once, and found by the engine. */
export class Flows extends Context.Service<
  Flows,
  {
    /** One page of the flows, newest first, and how many there are. */
    list(page: Page): Effect.Effect<{ readonly flows: ReadonlyArray<FlowItem>; readonly total: number }>
    /** A version of a flow as the API shows it; the latest when none is named. */
    get(flowId: string, version?: string): Effect.Effect<FlowDetail, FlowNotFound | VersionNotFound>
    /** A version of a flow, ready to be run. */
    resolve(flowId: string, version?: string): Effect.Effect<RunnableFlow, FlowNotFound | VersionNotFound>
    /**
     * Checks flow files and serves those without a problem; a version that was published with other content is a problem
     * too, and goes on as it was published.
     */
    serve(files: ReadonlyArray<FlowFile>): Effect.Effect<ReadonlyArray<Problem>, SqlError.SqlError>
  }
>()("docflow/Flows") {
  /** `formats` are the MIME types that can be read here. */
  static readonly layer = (formats: ReadonlyArray<string>) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const registry = yield* StepKinds
        const served = yield* Ref.make<Served>(new Map())

        const compile = (text: string, file: string) =>
          check(text, { file, registry, formats, sha256: (content) => hash("sha256", content) })

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

        const resolve = Effect.fn("Flows.resolve")((flowId: string, version?: string) =>
          Effect.map(published(flowId, version), ({ found }) => found.flow)
        )

        const publish = Effect.fnUntraced(function* (flow: RunnableFlow, source: string) {
          const { id, version } = flow.definition
          yield* sql`
            insert into flow_versions (flow_id, version, hash, source, published_at)
            values (${id}, ${version}, ${flow.hash}, ${source}, ${yield* DateTime.nowAsDate})
            on conflict (flow_id, version) do nothing`
          const rows = yield* sql`
            select hash, source, published_at from flow_versions where flow_id = ${id} and version = ${version}`
          const [row] = yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(VersionRow))(rows))
          return row ?? (yield* Effect.die(new Error("a published version disappeared")))
        })

        /** What a file adds to the flows that are served, and what is wrong with it. */
        const serveOne = Effect.fnUntraced(function* (file: FlowFile) {
          const checked = compile(file.text, file.file)
          if (Result.isFailure(checked)) return { flow: undefined, problems: checked.failure }
          const misplaced = placeProblem(file, checked.success)
          if (misplaced !== undefined) return { flow: undefined, problems: [misplaced] }
          const row = yield* publish(checked.success, file.text)
          if (row.hash === checked.success.hash) {
            return { flow: { flow: checked.success, publishedAt: row.published_at }, problems: [] }
          }
          const before = Result.getOrUndefined(compile(row.source, file.file))
          return {
            flow: before === undefined ? undefined : { flow: before, publishedAt: row.published_at },
            problems: [changedProblem(file)]
          }
        })

        const serve = Effect.fn("Flows.serve")(function* (files: ReadonlyArray<FlowFile>) {
          const results = yield* Effect.forEach(files, serveOne)
          const flows = new Map<string, Map<string, PublishedFlow>>()
          for (const { flow } of results) {
            if (flow === undefined) continue
            const { id, version } = flow.flow.definition
            flows.set(id, (flows.get(id) ?? new Map()).set(version, flow))
          }
          yield* Ref.set(served, flows)
          return results.flatMap(({ problems }) => problems)
        })

        /** An execution goes on with the version that it started with, even when its file is gone. */
        const find = Effect.fn("FlowCatalog.find")(function* (flowId: string, version: string) {
          const found = (yield* Ref.get(served)).get(flowId)?.get(version)
          if (found !== undefined) return Option.some(found.flow)
          const [row] = yield* Effect.orDie(sql<{ source: string }>`
            select source from flow_versions where flow_id = ${flowId} and version = ${version}`)
          if (row === undefined) return Option.none()
          return Option.fromUndefinedOr(Result.getOrUndefined(compile(row.source, `${flowId}/${version}`)))
        })

        return Context.make(Flows, Flows.of({ list, get, resolve, serve })).pipe(
          Context.add(FlowCatalog, FlowCatalog.of({ find }))
        )
      })
    )
}

const problemAtTop = (file: FlowFile, path: string, message: string, suggestion: string): Problem => ({
  file: file.file,
  line: 1,
  column: 1,
  path,
  message,
  suggestion
})

const placeProblem = (file: FlowFile, { definition: { id, version } }: RunnableFlow): Problem | undefined =>
  id === file.id && version === file.version
    ? undefined
    : problemAtTop(
        file,
        id === file.id ? "version" : "id",
        `The file says ${id} ${version}, its place says ${file.id} ${file.version}.`,
        `Move it to ${id}/${version}.yaml.`
      )

const changedProblem = (file: FlowFile): Problem =>
  problemAtTop(
    file,
    "version",
    `Version ${file.version} of ${file.id} is published with other content; a published version never changes.`,
    "Give the changed flow a new version, in a file of its own."
  )
