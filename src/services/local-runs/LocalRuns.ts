import { Clock, Context, Effect, FileSystem, Layer, Path, Result, Schema, Config } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StepRegistry } from "../../../dsl/model/StepRegistry.ts"
import { Problem } from "../../../dsl/source/Problem.ts"
import { renderProblems } from "../../../dsl/source/RenderProblem.ts"
import { DocumentReader } from "../../document/DocumentReader.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import {
  type InvalidDocument,
  type InvalidInput,
  type MissingRequiredField,
  ServiceUnavailable,
  type ValidationFailed
} from "../../domain/Errors.ts"
import type { ExecutionError, Metrics } from "../../domain/Execution.ts"
import { FailureCode } from "../../domain/FailureCode.ts"
import type { Environment } from "../../domain/Organization.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { flowFailure, type FlowFailure } from "../../engine/program/FlowFailure.ts"
import { runFlow } from "../../engine/program/FlowProgram.ts"
import { StepKinds } from "../../engine/program/StepKinds.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { artifactsOf, evidenceOf } from "../executions/Artifacts.ts"
import { checkVariables, openDocument } from "../executions/CheckDocument.ts"
import { checkDeclared } from "../executions/DecodeDocument.ts"
import { LocalDocuments } from "../../providers/documents/LocalDocuments.ts"
import { defined } from "../../support/Defined.ts"
import { sha256 } from "../../support/Sha256.ts"
import { hash } from "node:crypto"
import { outlineOf } from "../../../dsl/model/FlowCalls.ts"
import { FlowLibrary, type FlowText } from "../../../dsl/check/FlowLibrary.ts"
import { ownOrShipped } from "../../config/Config.ts"

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
const checkFile = Effect.fn("Flows.checkFile")(function* (
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

const FieldToReview = Schema.Struct({
  field: Schema.String,
  path: Schema.optionalKey(Schema.String),
  reason: Schema.String,
  confidence: Schema.Finite
})

/** A field that needs review, and why. */
export type FieldToReview = typeof FieldToReview.Type

const isReviewed = Schema.is(Schema.Struct({ review: Schema.Array(FieldToReview) }))

/** The fields of a run that need review, as its `extract` steps list them. */
export const fieldsToReview = ({ artifacts }: Pick<RunResult, "artifacts">): ReadonlyArray<FieldToReview> =>
  Object.values(artifacts).flatMap((artifact) => (isReviewed(artifact) ? artifact.review : []))

/** A flow file has problems; the message shows each with its line. */
export class FlowProblems extends Schema.TaggedError<FlowProblems>()("FlowProblems", {
  message: Schema.String,
  problems: Schema.Array(Problem)
}) {}

/** Why a run does not begin: the flow does not accept the document or a variable, or nothing can be read at the moment. */
export type RunRefused =
  InvalidDocument | InvalidInput | MissingRequiredField | ServiceUnavailable | ValidationFailed

/** Options of a run. */
export interface RunOptions {
  readonly filename?: string
  readonly mimeType?: string
  readonly variables?: { readonly [name: string]: unknown }
  readonly environment?: Environment
  /** Called as the run proceeds, with the current step and the progress, 0–100. */
  readonly onProgress?: (step: string, percentage: number) => void
}

/** How a run ended. */
export interface RunResult {
  readonly flow: string
  readonly version: string
  readonly status: "completed" | "failed"
  readonly output?: unknown
  readonly error?: ExecutionError
  /** The evidence for every field that was extracted. */
  readonly fields: { readonly [name: string]: FieldEvidence }
  /** The output of each step, by its path. */
  readonly artifacts: { readonly [path: string]: unknown }
  /** The metrics of the run; local runs are not charged. */
  readonly metrics: Metrics
}

/** Runs flows in this process, without a database: for embedding programs and the command line. */
export class LocalRuns extends Context.Service<
  LocalRuns,
  {
    /** The step kinds that flows may use here. */
    readonly registry: StepRegistry
    /** Checks the text of a flow file. `file` is its name, for messages. */
    compile(text: string, file: string): Effect.Effect<RunnableFlow, FlowProblems>
    run(flow: RunnableFlow, document: Uint8Array, options?: RunOptions): Effect.Effect<RunResult, RunRefused>
  }
>()("docflow/LocalRuns") {
  static readonly layer = Layer.effect(
    LocalRuns,
    Effect.gen(function* () {
      const registry = yield* StepKinds
      const documents = yield* LocalDocuments
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<DocumentReader>()
      const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()

      const compile = Effect.fn("LocalRuns.compile")(function* (text: string, file: string) {
        const checked = yield* Effect.provideContext(checkFile(text, file, registry), files)
        if (Result.isSuccess(checked)) return checked.success
        const problems = checked.failure
        return yield* new FlowProblems({ message: renderProblems(problems, text), problems })
      })

      const open = Effect.fnUntraced(
        function* (flow: RunnableFlow, bytes: Uint8Array, options: RunOptions) {
          const { formats, maxFileSizeMB, maxPages } = flow.definition.document
          const sent = {
            bytes,
            filename: options.filename,
            declaredType: options.mimeType,
            problem: undefined
          }
          const variables = yield* checkVariables(flow, options.variables ?? {})
          const rules = { supportedFormats: formats, maxFileSizeMB, maxPages }
          yield* checkDeclared(sent, rules)
          const ref = yield* openDocument(sent, yield* sha256(bytes), rules)
          return { ref, variables }
        },
        Effect.catchTag("ReaderUnavailable", ({ message }) => new ServiceUnavailable({ message })),
        Effect.provideContext(services)
      )

      const run = Effect.fn("LocalRuns.run")(function* (
        flow: RunnableFlow,
        bytes: Uint8Array,
        options: RunOptions = {}
      ) {
        const startedAt = yield* Clock.currentTimeMillis
        const { ref, variables } = yield* open(flow, bytes, options)
        const executionId = `local_${yield* random.ulid}`
        const records: Array<StepRecord> = []
        const report = (step: string, percentage: number) =>
          Effect.sync(() => options.onProgress?.(step, percentage))
        const environment = options.environment ?? "live"
        const input = { executionId, organizationId: null, environment, document: ref, variables }
        const result = yield* documents.keep(executionId, bytes, ref.blob).pipe(
          Effect.andThen(
            runFlow(flow, input, {
              recall: () => undefined,
              checkpoint: report,
              progress: report,
              record: (record) => Effect.sync(() => void records.push(record))
            })
          ),
          Effect.scoped,
          Effect.map(Result.succeed),
          Effect.catchTag(FailureCode.literals, (failure) => Effect.succeed(Result.fail(failure))),
          // Documents are in memory here.
          Effect.catchTag("BlobStoreFailure", Effect.die)
        )
        const durationMs = (yield* Clock.currentTimeMillis) - startedAt
        return {
          flow: flow.definition.id,
          version: flow.definition.version,
          ...(Result.isSuccess(result)
            ? { status: "completed" as const, output: result.success }
            : { status: "failed" as const, error: errorOf(result.failure, result.failure._tag) }),
          fields: evidenceOf(records),
          artifacts: artifactsOf(registry, records),
          metrics: { durationMs, pageCount: ref.pageCount, creditsUsed: 0 }
        }
      })

      return LocalRuns.of({ registry, compile, run })
    })
  )
}

const errorOf = ({ message, step }: FlowFailure, code: FailureCode): ExecutionError => ({
  code,
  message,
  ...defined({ step })
})

/** The output of a run, or the error with which its flow ended: one class for each code. */
export const outputOf = ({ error, output }: RunResult): Effect.Effect<unknown, FlowFailure> =>
  error === undefined ? Effect.succeed(output) : Effect.fail(flowFailure(error.code, error))
