import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { DocumentRef } from "../../domain/Document.ts"
import { ExecutionNotFound, ValidationFailed } from "../../domain/Errors.ts"
import type { ExportedCase } from "../../domain/ExportedCase.ts"
import { OwnDocuments } from "../../providers/documents/OwnDocuments.ts"
import { Audit } from "../storage/Audit.ts"
import { ExecutionCorrections } from "../corrections/ExecutionCorrections.ts"
import type { PageFailure } from "../pages/PageViews.ts"
import { testSetOf } from "./CaseOfCorrections.ts"
import { fileNameOf } from "./FileNameOf.ts"

/** The largest document that is exported with its case, in bytes. */
const largest = 10 * 1024 * 1024

const Row = Schema.Struct({
  flow_id: Schema.String,
  document: Schema.NullOr(DocumentRef),
  document_export: Schema.Boolean
})

/** Corrected executions as cases of a test set. */
export class ExportedCases extends Context.Service<
  ExportedCases,
  {
    /**
     * The corrected and confirmed values of an execution as a test set, with the document if its organization allows that.
     * ValidationFailed where nothing was corrected or confirmed.
     */
    find(
      caller: Caller,
      executionId: string
    ): Effect.Effect<ExportedCase, PageFailure | ValidationFailed | SqlError.SqlError>
  }
>()("docflow/ExportedCases") {
  static readonly layer = Layer.effect(
    ExportedCases,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const corrections = yield* ExecutionCorrections
      const documents = yield* OwnDocuments

      /** The bytes of a document that may be exported and is still stored. */
      const bytesOf = Effect.fnUntraced(function* (
        executionId: string,
        { document, document_export }: typeof Row.Type
      ) {
        if (!document_export || document === null) return undefined
        const bytes = yield* Effect.catchTag(
          documents.bytes(executionId, document),
          "DocumentUnavailable",
          () => Effect.undefined
        )
        return bytes === undefined || bytes.length > largest ? undefined : bytes
      })

      const find = Effect.fn("ExportedCases.find")(function* (caller: Caller, executionId: string) {
        // Refuses whoever may not see the execution.
        const saved = yield* corrections.getByPath(caller, executionId)
        const [row] = yield* decodeRows(
          Row,
          yield* sql`
            select e.flow_id, e.document, o.document_export
            from executions e join organizations o on o.id = e.organization_id
            where e.id = ${executionId} and e.erased_at is null`
        )
        if (row === undefined) {
          return yield* new ExecutionNotFound({ message: `Execution not found: ${executionId}` })
        }
        const bytes = yield* bytesOf(executionId, row)
        const given = row.document?.filename
        const filename = bytes === undefined ? given : fileNameOf(executionId, given, row.document?.mimeType)
        const text = testSetOf({ flowId: row.flow_id, executionId, filename, corrections: saved })
        if (text === undefined) return yield* nothing(executionId)
        const found = { name: `${executionId}.yaml`, text }
        if (bytes === undefined || filename === undefined) return found
        const { organizationId } = caller
        yield* audit.record({ action: "document.exported", subject: executionId, organizationId })
        return { ...found, document: { filename, base64: Buffer.from(bytes).toString("base64") } }
      })

      return ExportedCases.of({ find })
    })
  )
}

const nothing = (executionId: string) => {
  const reason = `Nothing was corrected or confirmed in ${executionId}`
  return new ValidationFailed({ message: reason, details: { field: "executionId", reason } })
}
