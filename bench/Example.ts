import { Schema } from "effect"
import type { DocumentIR } from "../src/domain/DocumentIR.ts"

/**
 * Where documents come from: `open`, `second`, `third` real ones and samples of firms, `pages` and `written` HTML pages of the
 * corpus and of `bench/pages`, each written before anything was run on it, `anecdotes` pages of `bench/pages/fourth`, each
 * written because of what went wrong, `einvoices` electronic invoices, `synthetic` and `generated` documents drawn by programs.
 */
export const sources = [
  "pages",
  "written",
  "anecdotes",
  "synthetic",
  "generated",
  "einvoices",
  "third",
  "second",
  "open"
] as const
export type Source = (typeof sources)[number]

/** A row of a table: its description, quantity, unit price and amount; null and absent cells are not judged. */
export type Row = ReadonlyArray<string | number | null | undefined>

/** A document with its truth, for fitting and judging. */
export interface Example {
  readonly name: string
  /** Documents of one layout: those of one company, template or generator's family. Never on both sides of a split. */
  readonly family: string
  readonly flow: "invoice" | "receipt"
  readonly source: Source
  readonly isPicture: boolean
  /** Whether it was issued to somebody, not made as a sample. */
  readonly real: boolean
  readonly document: DocumentIR
  /** The text of a page that was printed for it, without markup. */
  readonly prints?: string
  /** Right answers by field; an empty list where the field must stay empty. */
  readonly truth: Readonly<Record<string, ReadonlyArray<unknown>>>
  /** The right kinds of the document. */
  readonly kinds?: ReadonlyArray<string>
  /** The rows of its table, in each way that is right. */
  readonly tables?: ReadonlyArray<ReadonlyArray<Row>>
}

/** A document that is not read yet. */
export interface Planned extends Omit<Example, "document"> {
  readonly bytes: () => Promise<Uint8Array>
}

const Answers = Schema.Struct({
  anyOf: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  like: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))
})

/** The truth of a test set, as lists of right answers. */
export const answersOf = (
  expected: Readonly<Record<string, unknown>>
): Record<string, ReadonlyArray<unknown>> =>
  Object.fromEntries(
    Object.entries(expected).flatMap(([field, value]) => {
      if (Array.isArray(value)) return []
      if (value === null) return [[field, []]]
      if (typeof value !== "object") return [[field, [value]]]
      const { anyOf, like } = Schema.decodeUnknownSync(Answers)(value)
      return [[field, anyOf ?? (like === undefined ? [] : [like].flat())]]
    })
  )
