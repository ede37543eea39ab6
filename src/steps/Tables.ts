import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { tablesOf } from "../document/tables/DocumentTables.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"

/** What a `tables` step is given. */
export const TablesConfig = Schema.Struct({
  document: DocumentIR.annotate({
    description: "The document to take the tables of, normally ${{ steps.read.document }}."
  })
})

/** What a `tables` step gives to later steps: every table with the page on which it begins. */
export const TablesOutput = Schema.Struct({
  tables: Schema.Array(Schema.Struct({ page: Schema.Int, rows: Schema.Array(Schema.Array(Schema.String)) }))
})

/** The step kind `tables`: the tables of a document, row by row. */
export const tables = StepKind.make("tables", {
  description:
    "Gives the tables of a document, row by row. A table that goes on over the page is one table, its repeated head left out.",
  config: TablesConfig,
  output: TablesOutput,
  errors: {},
  run: ({ document }) => Effect.sync(() => ({ tables: tablesOf(document) }))
})
