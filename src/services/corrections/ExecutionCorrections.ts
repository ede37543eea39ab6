import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { SqlError } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import {
  type CorrectedField,
  type Corrections,
  CorrectionsOutdated,
  type SaveCorrections
} from "../../domain/Corrections.ts"
import { defined } from "../../support/Defined.ts"
import { ExecutionNotFound, type ValidationFailed } from "../../domain/Errors.ts"
import { CurrentOrigin } from "../../domain/Origin.ts"
import { makeSharedCache } from "../../support/SharedCache.ts"
import type { OutputCorrections, SaveOutputCorrections } from "../../domain/OutputCorrections.ts"
import { DeliveryQueue } from "../../engine/journal/DeliveryQueue.ts"
import { FlowCatalog } from "../../engine/program/FlowCatalog.ts"
import { Journal } from "../../engine/journal/Journal.ts"
import { Audit } from "../storage/Audit.ts"
import { Examples } from "../examples/StoredExamples.ts"
import { Executions } from "../executions/Executions.ts"
import { type PageFailure, PageViews } from "../pages/PageViews.ts"
import { correctedOutput } from "./CorrectedOutput.ts"
import { type Asked, askedOf, revertedOf } from "./AskedCorrections.ts"
import {
  correctedRecords,
  extractedValue,
  keyOf,
  knownSteps,
  openOf,
  type Target
} from "./CorrectedRecords.ts"
import { isEqual, withAccepted, withoutReverted } from "./CorrectedTables.ts"
import { byPath } from "./CorrectionPaths.ts"
import { learns, notesOf } from "./CorrectionNotes.ts"
import { chooseReadings, type Chosen, type Readable } from "./ChooseReadings.ts"
import { CorrectionStore } from "./CorrectionStore.ts"
import { correctionReadings, invalidCorrection, nameOf } from "./CorrectionReadings.ts"
import { targetsOf } from "./CorrectionTargets.ts"
import { settled } from "./SettledCorrections.ts"

type SaveFailure = PageFailure | ValidationFailed | CorrectionsOutdated

/** What was corrected so far. */
interface Saved {
  readonly revision: number
  readonly fields: ReadonlyArray<CorrectedField>
}

const outdated = (read: number, now: number) =>
  new CorrectionsOutdated({
    message: `Somebody else saved corrections: they are at ${now}, not ${read}. Read them and try again`
  })

/** The size of the corrected outputs that are kept for the next reader, in characters of JSON. */
const mostKept = 16 * 1024 * 1024

/** The corrections of an execution, whose own output never changes. */
export class ExecutionCorrections extends Context.Service<
  ExecutionCorrections,
  {
    get(caller: Caller, executionId: string): Effect.Effect<Corrections, PageFailure>
    /**
     * Adds corrections to those saved before, less those that are reverted; saves nothing if nothing changes. CorrectionsOutdated if somebody else has saved in the meantime;
     * ValidationFailed for a field that no step extracted, or a value that makes the output violate the flow's schema.
     */
    save(
      caller: Caller,
      executionId: string,
      request: SaveCorrections
    ): Effect.Effect<Corrections, SaveFailure | SqlError.SqlError>
    /** As `get`, by the paths of the output. */
    getByPath(caller: Caller, executionId: string): Effect.Effect<OutputCorrections, PageFailure>
    /** As `save`, by the paths of the output. */
    saveByPath(
      caller: Caller,
      executionId: string,
      request: SaveOutputCorrections
    ): Effect.Effect<OutputCorrections, SaveFailure | SqlError.SqlError>
  }
>()("docflow/ExecutionCorrections") {
  static readonly layer = Layer.effect(
    ExecutionCorrections,
    Effect.gen(function* () {
      const audit = yield* Audit
      const examples = yield* Examples
      const executions = yield* Executions
      const catalog = yield* FlowCatalog
      const journal = yield* Journal
      const pages = yield* PageViews
      const store = yield* CorrectionStore
      const deliveries = yield* DeliveryQueue

      const outputs = yield* makeSharedCache<{ readonly output?: unknown }, PageFailure>({
        limit: mostKept,
        sizeOf: ({ output }) => JSON.stringify(output ?? null).length
      })

      const known = Effect.fnUntraced(function* (caller: Caller, executionId: string) {
        const facts = yield* store.facts(caller, executionId)
        if (facts === undefined)
          return yield* new ExecutionNotFound({ message: `Execution not found: ${executionId}` })
        const outlines = yield* journal.outlines(executionId)
        return {
          caller,
          executionId,
          facts,
          /** The output of the execution, which may be large. */
          output: yield* Effect.cached(
            Effect.map(executions.get(caller, executionId), ({ output }) => output)
          ),
          /** Without the pages of documents, which are rarely needed. */
          records: outlines.map(({ record }) => record),
          whole: yield* Effect.cached(journal.records(executionId))
        }
      })
      type Known = Effect.Success<ReturnType<typeof known>>

      const outputWith = Effect.fnUntraced(function* (
        { caller, executionId, facts, whole }: Known,
        fields: ReadonlyArray<CorrectedField>
      ) {
        const { environment, organizationId } = caller
        const { document, flow_id, variables, version } = facts
        const flow = Option.getOrUndefined(yield* catalog.find(flow_id, version))
        if (flow === undefined || document === null)
          return { output: undefined, reason: "The document or the version of the flow no longer exists." }
        return yield* correctedOutput(flow, {
          executionId,
          organizationId,
          environment,
          document,
          variables,
          records: correctedRecords(yield* whole, fields),
          steps: new Set(fields.map(({ step }) => step))
        })
      })

      const view = Effect.fnUntraced(function* (found: Known, saved: Saved) {
        // The corrected output of a revision is always the same, and making it takes the pages of the document.
        const { output } =
          saved.fields.length === 0
            ? { output: undefined }
            : yield* outputs.get(
                JSON.stringify([found.executionId, saved.revision, found.facts.document === null]),
                outputWith(found, saved.fields)
              )
        const { executionId, facts } = found
        const said = yield* Effect.orDie(examples.taught(executionId, found.whole))
        const steps = knownSteps(found.records)
        const taught = said.flatMap((one) =>
          steps
            .filter(({ fields }) => Object.hasOwn(fields, one.field))
            .map(({ path }) => ({ step: path, field: one.field, value: one.value, documents: one.documents }))
        )
        const flow = Option.getOrUndefined(yield* catalog.find(facts.flow_id, facts.version))
        const notes =
          saved.fields.length === 0 || flow === undefined
            ? []
            : notesOf(saved.fields, {
                learns: yield* Effect.provideService(learns(flow), FlowCatalog, catalog),
                learned: yield* Effect.orDie(examples.learnedFrom(executionId)),
                taught
              })
        const made: Corrections = {
          revision: saved.revision,
          corrections: saved.fields,
          open: openOf(found.records, saved.fields),
          ...(notes.length === 0 ? {} : { notes }),
          ...(taught.length === 0 ? {} : { taught }),
          ...(output === undefined ? {} : { output })
        }
        return made
      })

      const get = Effect.fn("ExecutionCorrections.get")(function* (caller: Caller, executionId: string) {
        const found = yield* known(caller, executionId)
        return yield* view(found, yield* store.find(executionId))
      })

      const completed = Effect.fnUntraced(function* (caller: Caller, executionId: string) {
        const found = yield* known(caller, executionId)
        const { status } = found.facts
        return status === "completed"
          ? found
          : yield* invalidCorrection(`The execution has not completed: it is ${status}`, "executionId")
      })

      /** The corrections that a request adds to; CorrectionsOutdated if they are no longer those that it has seen. */
      const savedAt = Effect.fnUntraced(function* (executionId: string, revision: number) {
        const saved = yield* store.find(executionId)
        return saved.revision === revision ? saved : yield* outdated(revision, saved.revision)
      })

      const saveAll = Effect.fnUntraced(function* (
        caller: Caller,
        found: Known,
        { fields: before, revision }: Saved,
        reverted: ReadonlyArray<Target>,
        all: ReadonlyArray<Asked>
      ) {
        const kept = withoutReverted(found.records, before, reverted)
        if (all.length === 0 && isEqual(kept, before)) return yield* view(found, { revision, fields: before })
        const { executionId } = found
        const { actor } = yield* CurrentOrigin
        const at = DateTime.formatIso(yield* DateTime.now)
        const readingsFor = correctionReadings(pages, caller, executionId)
        const readable: Array<Readable<Asked>> = []
        for (const { asked, before, shown } of yield* targetsOf(found.records, kept, all)) {
          const { column, field, step } = asked.correction
          readable.push({
            item: asked,
            readings: yield* readingsFor(asked, before, shown),
            column: keyOf({ step, field, ...defined({ column }) })
          })
        }
        const withThem = (chosen: Chosen<Asked>): ReadonlyArray<CorrectedField> => {
          const now = new Map(kept.map((field) => [keyOf(field), field]))
          for (const [{ correction }, value] of chosen) {
            const { value: _value, ...target } = correction
            const before = extractedValue(found.records, correction)
            const accepted = JSON.stringify(value) === JSON.stringify(before)
            // Moves it to the end: the last one of a table and its cells wins.
            now.delete(keyOf(correction))
            now.set(keyOf(correction), { ...target, value, accepted, by: actor, at })
          }
          return settled([...now.values()])
        }
        const choice = yield* chooseReadings(readable, (chosen) =>
          Effect.map(outputWith(found, withThem(chosen)), ({ output, reason }) =>
            output === undefined ? reason : undefined
          )
        )
        if (choice._tag === "Refused") {
          const { correction, part } = choice.item
          return yield* invalidCorrection(
            `Invalid value for ${nameOf(correction)}: ${choice.reason}`,
            part.startsWith("confirmed") ? part : `${part}.value`,
            choice.reason
          )
        }
        const fields = withAccepted(found.records, withThem(choice.all))
        const { isSaved, sends } = yield* store.save(
          executionId,
          revision,
          fields,
          openOf(found.records, fields)
        )
        if (!isSaved) return yield* outdated(revision, (yield* store.find(executionId)).revision)
        if (sends) yield* deliveries.wake
        const { organizationId } = caller
        yield* examples.learn({
          executionId,
          organizationId,
          environment: caller.environment,
          flowId: found.facts.flow_id,
          records: yield* found.whole,
          corrections: fields
        })
        yield* audit.record({ action: "corrections.saved", subject: executionId, organizationId })
        return yield* view(found, { revision: revision + 1, fields })
      })

      const save = Effect.fn("ExecutionCorrections.save")(function* (
        caller: Caller,
        executionId: string,
        { corrections, reverted = [], revision }: SaveCorrections
      ) {
        const all = corrections.map((correction, at) => ({ correction, part: `corrections.${at}` }))
        const found = yield* completed(caller, executionId)
        return yield* saveAll(caller, found, yield* savedAt(executionId, revision), reverted, all)
      })

      const getByPath = Effect.fn("ExecutionCorrections.getByPath")(function* (
        caller: Caller,
        executionId: string
      ) {
        const found = yield* known(caller, executionId)
        const shown = yield* view(found, yield* store.find(executionId))
        return byPath(shown, yield* found.output, found.records)
      })

      const saveByPath = Effect.fn("ExecutionCorrections.saveByPath")(function* (
        caller: Caller,
        executionId: string,
        request: SaveOutputCorrections
      ) {
        const found = yield* completed(caller, executionId)
        const before = yield* savedAt(executionId, request.ifMatch)
        const output = yield* found.output
        const reverted = yield* revertedOf(output, found.records, before.fields, request)
        const kept = withoutReverted(found.records, before.fields, reverted)
        const all = yield* askedOf(output, found.records, kept, request)
        const saved = yield* saveAll(caller, found, before, reverted, all)
        return byPath(saved, yield* found.output, found.records)
      })

      return ExecutionCorrections.of({ get, save, getByPath, saveByPath })
    })
  ).pipe(Layer.provide(CorrectionStore.layer), Layer.provide(Examples.layer))
}
