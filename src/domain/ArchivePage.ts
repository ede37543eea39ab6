import { Schema } from "effect"

/** What a month leaves for ever, unless it is archived. */
export const ArchivedKind = Schema.Literals(["executions", "audit"])
export type ArchivedKind = typeof ArchivedKind.Type

/** A part of an archive. */
export const ArchivePage = Schema.Struct({
  rows: Schema.Array(Schema.Struct({ id: Schema.String, json: Schema.String })),
  next: Schema.NullOr(Schema.String).annotate({
    description: "`after` of the next page; null on the last one."
  })
})
export type ArchivePage = typeof ArchivePage.Type
