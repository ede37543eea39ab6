import { Context, DateTime, Effect, Layer, Option, Ref, Result, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { check } from "../dsl/Check.ts"
import type { Problem } from "../dsl/Problem.ts"
import { withCalibration } from "./Calibration/Beside.ts"
import { FlowNotFound, VersionNotFound } from "./domain/Errors.ts"
import type { FlowDetail, FlowItem } from "./domain/Flow.ts"
import { FlowCatalog, type RunnableFlow } from "./engine/FlowCatalog.ts"
import { StepKinds } from "./engine/StepKinds.ts"
import { changedProblem, placeProblem } from "./Flows/FileProblems.ts"
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

/** A file as it was read last, and what came of it: read again unchanged, it is not checked again. */
interface SeenFile {
  readonly text: string
  readonly calibration: FlowFile["calibration"]
  readonly flow: PublishedFlow | undefined
  readonly problems: ReadonlyArray<Problem>
}

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
     * Checks flow files and serves those without a problem, and no others. A version whose file has problems now, other
     * content among them, goes on as it was published.
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
        let seen: ReadonlyMap<string, SeenFile> = new Map()

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

        const publishedRow = Effect.fnUntraced(function* (id: string, version: string) {
          const rows = yield* sql`
            select hash, source, published_at from flow_versions where flow_id = ${id} and version = ${version}`
          const [row] = yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(VersionRow))(rows))
          return row
        })

        const publish = Effect.fnUntraced(function* (flow: RunnableFlow, source: string) {
          const { id, version } = flow.definition
          yield* sql`
            insert into flow_versions (flow_id, version, hash, source, published_at)
            values (${id}, ${version}, ${flow.hash}, ${source}, ${yield* DateTime.nowAsDate})
            on conflict (flow_id, version) do nothing`
          const row = yield* publishedRow(id, version)
          return row ?? (yield* Effect.die(new Error("a published version disappeared")))
        })

        /** As it was published, whatever has become of its file since. */
        const asPublished = Effect.fnUntraced(function* (file: FlowFile) {
          const row = yield* publishedRow(file.id, file.version)
          const flow = row === undefined ? undefined : Result.getOrUndefined(compile(row.source, file.file))
          return flow === undefined || row === undefined ? undefined : { flow, publishedAt: row.published_at }
        })

        /** What the text of a file adds to the flows that are served, and what is wrong with it. */
        const serveText = Effect.fnUntraced(function* (file: FlowFile) {
          const checked = compile(file.text, file.file)
          if (Result.isFailure(checked)) {
            return { flow: yield* asPublished(file), problems: checked.failure }
          }
          const flow = checked.success
          const misplaced = placeProblem(file, flow)
          if (misplaced !== undefined) return { flow: undefined, problems: [misplaced] }
          const row = yield* publish(flow, file.text)
          const same = { flow, publishedAt: row.published_at }
          if (row.hash === flow.hash) return { flow: same, problems: [] }
          // A later docflow may write the same flow differently: what was published is read by this one, too.
          const published = yield* asPublished(file)
          return published?.flow.hash === flow.hash
            ? { flow: same, problems: [] }
            : { flow: published, problems: [changedProblem(file)] }
        })

        /** The flow of a file with its calibration, which may change while the version does not. */
        const serveOne = Effect.fnUntraced(function* (file: FlowFile) {
          const { calibration, text } = file
          const known = seen.get(file.file)
          if (known?.text === text && known.calibration?.text === calibration?.text) return known
          const { flow: published, problems } = yield* serveText(file)
          if (published === undefined) return { text, calibration, flow: published, problems }
          const { flow, problem } = withCalibration(published.flow, calibration)
          const found = problem === undefined ? problems : [...problems, problem]
          return { text, calibration, flow: { ...published, flow }, problems: found }
        })

        const serve = Effect.fn("Flows.serve")(function* (files: ReadonlyArray<FlowFile>) {
          const results = yield* Effect.forEach(files, serveOne)
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
