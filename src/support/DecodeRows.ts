import { Effect, Schema } from "effect"

/** Decodes rows of a query. Rows that do not match the schema are a bug of the query or of a migration. */
export const decodeRows = <A, I>(
  row: Schema.Codec<A, I>,
  rows: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<A>> => Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(row))(rows))
