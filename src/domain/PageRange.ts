import { Schema } from "effect"

const PageNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const isInOrder = Schema.makeFilter(({ from, to }: { readonly from: number; readonly to: number }) =>
  from <= to
    ? undefined
    : `Page ${from} comes after page ${to}. Write the first page as "from", the last as "to".`
)

/** Some pages of a document: the first and the last, counted from 1. */
export const pageRange = (description: string) =>
  Schema.Struct({ from: PageNumber, to: PageNumber }).annotate({ description }).check(isInOrder)
export type PageRange = ReturnType<typeof pageRange>["Type"]
