import { findAgain } from "../../extraction/examples/FindAgain.ts"
import { layoutWords, similarity } from "../../extraction/examples/Layout.ts"
import type { TaughtValue } from "../../domain/Corrections.ts"
import type { Page } from "../../domain/DocumentIR.ts"
import type { LearnedExample, LearnedField } from "../../domain/LearnedExample.ts"

/** The similarity from which documents have the same layout. */
const sameLayout = 0.6
/** The fit from which a value is at the place where the checked document has it. */
const goodFit = 6

const readingOf = (learned: LearnedField, pages: ReadonlyMap<number, Page>): unknown => {
  const page = pages.get(learned.page)
  const found = page === undefined || learned.unplaced !== undefined ? undefined : findAgain(learned, page)
  return found === undefined || found.contested || found.fit < goodFit ? undefined : found.value
}

/** What people said of checked documents of the layout of these pages, for the values of this document. */
export const taughtValues = (
  examples: ReadonlyArray<LearnedExample>,
  pages: ReadonlyMap<number, Page>
): ReadonlyArray<Omit<TaughtValue, "step">> => {
  const first = pages.get(1)
  const words = first === undefined ? [] : layoutWords(first)
  const votes = examples
    .filter((example) => similarity(example.words, words) >= sameLayout)
    .flatMap(({ executionId, fields }) =>
      Object.entries(fields).flatMap(([field, learned]) => {
        const value = learned.by === undefined ? undefined : readingOf(learned, pages)
        return value === undefined ? [] : [{ field, value, executionId }]
      })
    )
  return [...Map.groupBy(votes, ({ field, value }) => JSON.stringify([field, value])).values()].flatMap(
    (same) =>
      same
        .slice(0, 1)
        .map(({ field, value }) => ({ field, value, documents: same.map(({ executionId }) => executionId) }))
  )
}
