import { Effect, Option, Predicate } from "effect"
import type { FlowDefinition } from "../../../dsl/model/FlowDefinition.ts"
import type { CorrectedField, CorrectionNote, TaughtValue } from "../../domain/Corrections.ts"
import { FlowCatalog, type RunnableFlow } from "../../engine/program/FlowCatalog.ts"

const hasExamples = (node: unknown): boolean =>
  Predicate.isObjectOrArray(node) &&
  Object.entries(node).some(([name, inside]) =>
    name === "using" && Array.isArray(inside) ? inside.includes("examples") : hasExamples(inside)
  )

const definitionsOf = ({
  calls,
  definition
}: RunnableFlow): Effect.Effect<ReadonlyArray<FlowDefinition>, never, FlowCatalog> =>
  Effect.gen(function* () {
    const catalog = yield* FlowCatalog
    const called = yield* Effect.forEach(calls, ({ flow, version }) => catalog.find(flow, version))
    const inside = yield* Effect.forEach(called.flatMap(Option.toArray), definitionsOf)
    return [definition, ...inside.flat()]
  })

/** Whether an extraction of the flow, or of one that it calls, reads later documents by what was corrected. */
export const learns = (flow: RunnableFlow) =>
  Effect.map(definitionsOf(flow), (all) => all.some(({ steps }) => hasExamples(steps)))

const shown = (value: unknown): string => (value === null ? "there is none" : String(value).slice(0, 80))

const count = (documents: number): string =>
  documents === 1
    ? "A checked document of this supplier says"
    : `${documents} checked documents of this supplier say`

const conflictWith = (taught: ReadonlyArray<TaughtValue>, field: CorrectedField): string | undefined => {
  const said = taught.filter((one) => one.step === field.step && one.field === field.field)
  const [other] = said.toSorted((one, two) => two.documents.length - one.documents.length)
  const isAgreed = said.some(({ value }) => JSON.stringify(value) === JSON.stringify(field.value))
  return other === undefined || isAgreed || field.row !== undefined
    ? undefined
    : `${count(other.documents.length)} ${shown(other.value)}; you say ${shown(field.value)}. Later documents of this supplier go to review.`
}

const unlearned = ({ row, value }: CorrectedField): string =>
  row !== undefined || Array.isArray(value)
    ? "Rows and cells of tables are not learned: later documents are read as this one was."
    : "This value is not learned, because it is not printed on the document's pages: later documents are read as this one was."

/** What was learned, and what others said. */
interface Known {
  readonly learns: boolean
  /** The fields that these corrections taught, as `<step> <field>`. */
  readonly learned: ReadonlySet<string>
  readonly taught: ReadonlyArray<TaughtValue>
}

/** Which corrections are not learned, and which contradict other checked documents; one note for a table. */
export const notesOf = (
  fields: ReadonlyArray<CorrectedField>,
  { learned, learns, taught }: Known
): ReadonlyArray<CorrectionNote> => {
  const byField = [...Map.groupBy(fields, ({ field, step }) => `${step} ${field}`)]
  return byField.flatMap(([name, all]): ReadonlyArray<CorrectionNote> => {
    const one = all.find(({ accepted }) => !accepted)
    if (one === undefined) return []
    const { field, step } = one
    const conflict = conflictWith(taught, one)
    const reason = learns
      ? learned.has(name)
        ? undefined
        : unlearned(one)
      : "This flow does not learn: corrections change this document only. Add examples to `using` of its extract step."
    const notes: Array<CorrectionNote> = []
    if (conflict !== undefined) notes.push({ step, field, kind: "conflict", message: conflict })
    if (reason !== undefined) notes.push({ step, field, kind: "not-learned", message: reason })
    return notes
  })
}
