import { Duration, Effect, Option, Predicate, Result, Schema, Struct } from "effect"
import type { CheckedCall } from "../../../dsl/model/CheckedFlow.ts"
import { expressionBudget, type Scope } from "../../../dsl/expression/Scope.ts"
import { parseDuration } from "../../../dsl/model/Words.ts"
import { DocumentRef } from "../../domain/Document.ts"
import { evaluate, inOneTurn, outputOf } from "./Evaluate.ts"
import type { RunnableFlow } from "./FlowCatalog.ts"
import { within } from "./ExecutionBudget.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import type { BlockContext, Run, runSteps } from "./StepProgram.ts"
import { ExecutionTimeout, InvalidDocument, ValidationFailed } from "../../domain/Errors.ts"
import { isList } from "../../../dsl/types/Values.ts"

interface Range {
  readonly from: number
  readonly to: number
}

/** A step that calls a flow: the document of the calling flow, the called flow, and the path of the step. */
interface Call {
  readonly own: DocumentRef
  readonly flow: RunnableFlow
  readonly path: string
}

const decodeRef = Schema.decodeUnknownOption(Schema.toType(DocumentRef))

/**
 * The document of a called flow: the caller's `own` document, or the part of it that the step names. No bytes are
 * copied: a part is the same file with a range of pages, or with their documentIR.
 */
const calledDocument = (
  document: unknown,
  pages: Range | undefined,
  { flow, own, path }: Call
): Effect.Effect<DocumentRef, FlowFailure> => {
  const whole = Option.match(decodeRef(document), {
    onSome: (ref) => (ref.blob === own.blob ? counted(ref, own) : partRead(own, document)),
    onNone: () => partRead(own, document)
  })
  const part = pages === undefined ? Result.succeed(whole) : pagesOf(whole, pages)
  const problem = Result.isFailure(part) ? part.failure : notTaken(part.success, flow)
  return Result.isSuccess(part) && problem === undefined
    ? Effect.succeed(part.success)
    : new InvalidDocument({ message: problem ?? "", step: path })
}

const isSameFile = (a: DocumentRef, b: DocumentRef): boolean =>
  (a.attachment ?? []).join() === (b.attachment ?? []).join()

/** A document of the same file with its actual number of pages: the number that it claims is not trusted. */
const counted = (ref: DocumentRef, own: DocumentRef): DocumentRef => {
  const { pages, read } = ref
  // An attachment was opened and counted by the step that returned it.
  if (!isSameFile(ref, own)) return ref
  if (read !== undefined) return { ...own, ...ref, pageCount: pagesRead(read).length }
  return { ...own, ...ref, pageCount: pages === undefined ? own.pageCount : pages.to - pages.from + 1 }
}

const decodeAttachment = Schema.decodeUnknownOption(
  Schema.Struct({
    extras: Schema.Struct({
      attachment: Schema.Struct({ path: Schema.Array(Schema.Int), name: Schema.String }),
      mimeType: Schema.String
    })
  })
)

/** The part of a file that a `DocumentIR` represents: of the caller's own document, or of an attachment in it. */
const partRead = (own: DocumentRef, read: unknown): DocumentRef => ({
  ...Struct.omit(own, ["pages", "read"]),
  ...Option.match(decodeAttachment(read), {
    onNone: () => ({}),
    onSome: ({ extras: { attachment, mimeType } }) => ({
      attachment: attachment.path,
      filename: attachment.name,
      mimeType
    })
  }),
  pageCount: pagesRead(read).length,
  read
})

const pagesRead = (read: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(read, "pages") && isList(read.pages) ? read.pages : []

/** Some pages of a document, counted from 1 within it. */
const pagesOf = (document: DocumentRef, { from, to }: Range): Result.Result<DocumentRef, string> => {
  if (from > to || to > document.pageCount)
    return Result.fail(`The document has no pages ${from} to ${to}: it has ${document.pageCount}`)
  const pageCount = to - from + 1
  const { pages, read } = document
  if (Predicate.isObject(read))
    return Result.succeed({
      ...document,
      pageCount,
      read: { ...read, pages: pagesRead(read).slice(from - 1, to) }
    })
  const first = pages?.from ?? 1
  return Result.succeed({ ...document, pageCount, pages: { from: first + from - 1, to: first + to - 1 } })
}

const notTaken = (document: DocumentRef, { definition }: RunnableFlow): string | undefined => {
  const { formats, maxPages } = definition.document
  const name = `The flow ${definition.id} ${definition.version}`
  if (!formats.includes(document.mimeType)) return `${name} does not take ${document.mimeType}`
  return document.pageCount > maxPages
    ? `${name} takes at most ${maxPages} pages; this document has ${document.pageCount}`
    : undefined
}

const Config = Schema.Struct({
  document: Schema.Unknown,
  pages: Schema.optionalKey(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  variables: Schema.optionalKey(Schema.Unknown)
})
const decodeConfig = Schema.decodeUnknownEffect(Config)
const decodeOwn = Schema.decodeUnknownEffect(Schema.toType(DocumentRef))

/**
 * Runs a flow as a step of another one, with its own document and variables; its records are below the path of the
 * step.
 */
export const runCall = Effect.fnUntraced(function* <E>(
  { config, flow }: CheckedCall<never>,
  path: string,
  run: Run<E>,
  outer: BlockContext,
  runAll: typeof runSteps
) {
  const given = yield* Effect.orDie(
    decodeConfig(yield* evaluate(within(run.budget, inOneTurn(config, outer.scope)), path))
  )
  const own = yield* Effect.orDie(decodeOwn(documentOf(outer.scope)))
  const document = yield* calledDocument(given.document, given.pages, { own, flow, path })
  const variables = flow.validateVariables(given.variables)
  if (Result.isFailure(variables)) {
    const message = variables.failure.map(({ field, reason }) => `${field} ${reason}`).join("; ")
    return yield* new ValidationFailed({ message, step: path })
  }
  const values = variables.success
  const scope: Scope = {
    input: { document, variables: values },
    variables: values,
    steps: {},
    [expressionBudget]: outer.scope[expressionBudget]
  }
  const inside = { prefix: `${path}.`, scope, weight: outer.weight }
  const steps = runAll(flow.steps, run, inside)
  return yield* withinLimit(
    Effect.flatMap(steps, (after) => outputOf(flow, after, path, run.budget)),
    flow,
    path
  )
})

const documentOf = ({ input }: Scope): unknown =>
  Predicate.hasProperty(input, "document") ? input.document : undefined

const withinLimit = <A, E>(program: Effect.Effect<A, E>, { definition }: RunnableFlow, path: string) =>
  Option.match(Option.flatMap(Option.fromUndefinedOr(definition.timeout), parseDuration), {
    onNone: () => program,
    onSome: (duration): Effect.Effect<A, E | FlowFailure> =>
      Effect.timeoutOrElse(program, {
        duration,
        orElse: () =>
          new ExecutionTimeout({
            message: `The flow ${definition.id} took longer than its time limit of ${Duration.format(duration)}`,
            step: path
          })
      })
  })
