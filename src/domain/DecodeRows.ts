import { Effect, Schema } from "effect"

/** Rows of a query as values of a schema. Rows that do not fit are a bug of the query or of a migration. */
export const decodeRows = <A, I>(
  row: Schema.Codec<A, I>,
  rows: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<A>> => Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(row))(rows))
