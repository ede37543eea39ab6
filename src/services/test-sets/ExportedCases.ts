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
import { stringify } from "yaml"
import type { OutputCorrections } from "../../domain/OutputCorrections.ts"
import { parseOutputPath, valueAt } from "./OutputPath.ts"

/** A case of a test set, from an execution that a person has corrected. */
interface CorrectedCase {
  readonly flowId: string
  readonly executionId: string
  /** The name of the document, if it was sent with one. */
  readonly filename: string | undefined
  readonly corrections: Pick<OutputCorrections, "values" | "confirmed" | "output">
}

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~")

/** Converts a JSON Pointer into a path of test sets, such as `lineItems[0].amount`; undefined if that is impossible. */
const testPath = (pointer: string): string | undefined => {
  const parts = pointer.split("/").slice(1).map(unescaped)
  // These characters would point to another folder.
  if (parts.some((part) => part === "" || /[.[\]]/u.test(part))) return undefined
  const written = parts.map((part) => (/^\d+$/u.test(part) ? `[${part}]` : `.${part}`)).join("")
  return written.replace(/^\./u, "")
}

const ways = ["is", "anyOf", "contains", "like"]

/** The expectation for a value; an object that looks like a way to compare is marked as a value. */
export const expectation = (value: unknown): unknown =>
  typeof value === "object" && value !== null && ways.some((way) => Object.hasOwn(value, way))
    ? { is: value }
    : value

/**
 * The corrected and confirmed values of an execution as a test set that `docflow test` reads; undefined if there are
 * none. The document itself is not included: the set names the file, which must be put next to it.
 */
export const testSetOf = ({
  corrections: { confirmed, output, values },
  executionId,
  filename,
  flowId
}: CorrectedCase): string | undefined => {
  const expected = [
    ...values,
    ...confirmed.map(({ path }) => ({
      path,
      value: valueAt(output, parseOutputPath(testPath(path) ?? "") ?? [])
    }))
  ].flatMap(({ path, value }) => {
    const name = testPath(path)
    return name === undefined ? [] : [[name, expectation(value ?? null)] as const]
  })
  if (expected.length === 0) return undefined
  const one = {
    name: executionId,
    document: filename ?? `${executionId}.pdf`,
    expect: Object.fromEntries(expected)
  }
  return stringify({ tests: 1, flow: flowId, cases: [one] })
}

/** The ends of file names, for documents that were sent without a name. */
const endings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/tiff": ".tiff",
  "message/rfc822": ".eml"
}

/**
 * The name of an exported document: it begins with the execution, so that none replaces another, and has no character that
 * could lead out of its folder.
 */
const fileNameOf = (executionId: string, given = "", mimeType = ""): string => {
  const own = /\.\w{1,8}$/u.exec(given)?.[0] ?? ""
  const stem = given
    .slice(0, given.length - own.length)
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, "_")
    .slice(0, 80)
  const ending = own === "" ? (endings[mimeType] ?? "") : own
  return `${executionId}${stem === "" ? "" : `-${stem}`}${ending}`
}

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
