import type { Box } from "../../domain/DocumentIR.ts"
import type { Span } from "./PageModel.ts"

/** A value that is somewhere in the document, before anybody knows what it means. */
export interface Candidate<A = unknown> {
  readonly span: Span
  readonly bbox: Box
  readonly text: string
  readonly value: A
  /** How surely the text is a value of its type, 0–1. */
  readonly quality: number
  /** ISO 4217, where an amount is printed with its currency. */
  readonly currency?: string
}

/** Candidates by page and row, for looking around a label. */
export type ByRow<A> = ReadonlyMap<string, ReadonlyArray<Candidate<A>>>

export const rowKey = (page: number, row: number): string => `${page}:${row}`

/** Tells where a candidate is printed: no two values begin at the same word. */
export const placeKey = ({ span: { from, page, row } }: Candidate): string => `${page}:${row}:${from}`

/** Groups candidates by the row they are in; each group keeps the order from left to right. */
export const byRow = <A>(candidates: ReadonlyArray<Candidate<A>>): ByRow<A> =>
  Map.groupBy(candidates, ({ span }) => rowKey(span.page, span.row))
