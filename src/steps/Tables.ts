import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { tablesOf } from "../document/tables/DocumentTables.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"

/** The configuration of a `tables` step. */
export const TablesConfig = Schema.Struct({
  document: DocumentIR.annotate({
    description: "Document whose tables to return, usually `${{ steps.read.document }}`."
  })
})

/** The output of a `tables` step: every table with the page on which it begins. */
export const TablesOutput = Schema.Struct({
  tables: Schema.Array(
    Schema.Struct({
      page: Schema.Int.annotate({ description: "Page on which the table begins, counted from 1." }),
      rows: Schema.Array(Schema.Array(Schema.String)).annotate({
        description: "Rows of cells; an empty cell is an empty string."
      })
    })
  ).annotate({ description: "The tables, in the order of the pages." })
})

/** The step kind `tables`: returns the tables of a document, row by row. */
export const tables = StepKind.make("tables", {
  description:
    "Return the tables of a document, row by row. A table that continues on the next page is one table, without the repeated header.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: tables
  uses: tables
  with: { document: "\${{ steps.read.document }}" }`,
  config: TablesConfig,
  output: TablesOutput,
  errors: {},
  onlyComputes: true,
  run: ({ document }) => Effect.sync(() => ({ tables: tablesOf(document) }))
})
