import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { GraphNode } from "../../dsl/tools/Graph.ts"
import { missing } from "../api/AdminParts.ts"
import { envelope } from "../api/ErrorEnvelope.ts"
import { AdminGate, BodyLimit, Contract, Defects } from "../api/Gate.ts"
import { Forbidden, ValidationFailed } from "../domain/Errors.ts"

/** The maximum length of a flow from a browser, in characters. */
const maxSource = 200_000
/** The maximum size of a draft, in bytes: characters may be escaped. */
const maxDraft = 6 * maxSource
const Draft = Schema.Struct({ source: Schema.String.check(Schema.isMaxLength(maxSource)) })

/** A flow of the folder, at its latest version. */
export const ListedFlow = Schema.Struct({
  id: Schema.String,
  /** Null while no version is served. */
  latest: Schema.NullOr(
    Schema.Struct({ version: Schema.String, name: Schema.String, description: Schema.String })
  ),
  versions: Schema.Int,
  /** In all its files. */
  problems: Schema.Int
})
export type ListedFlow = typeof ListedFlow.Type

/** A problem that the checker found in one file. */
export const FileProblem = Schema.Struct({
  line: Schema.Int,
  column: Schema.Int,
  path: Schema.String,
  message: Schema.String,
  suggestion: Schema.optionalKey(Schema.String)
})
export type FileProblem = typeof FileProblem.Type

/** What changed since an earlier version, and the lowest version that this allows. */
export const Changes = Schema.Struct({
  previous: Schema.NullOr(Schema.String),
  reasons: Schema.Array(Schema.String),
  ok: Schema.Boolean,
  needs: Schema.NullOr(Schema.String)
})
export type Changes = typeof Changes.Type

/** The result of checking a flow file: its problems, or the flow. */
const Checked = {
  problems: Schema.Array(FileProblem),
  /** The steps; null where there are problems. */
  graph: Schema.NullOr(Schema.Array(GraphNode)),
  changes: Schema.NullOr(Changes)
}

/** One file of a flow. */
export const FlowFileView = Schema.Struct({
  id: Schema.String,
  version: Schema.String,
  versions: Schema.Array(Schema.Struct({ version: Schema.String, problems: Schema.Int })),
  latest: ListedFlow.fields.latest,
  publishedAt: Schema.NullOr(Schema.String),
  source: Schema.String,
  ...Checked,
  schema: Schema.NullOr(Schema.Struct({ input: Schema.Unknown, output: Schema.Unknown })),
  canEdit: Schema.Boolean
})
export type FlowFileView = typeof FlowFileView.Type

/** The result of checking a draft. */
export const CheckedSource = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  version: Schema.NullOr(Schema.String),
  ...Checked
})
export type CheckedSource = typeof CheckedSource.Type

/** Lines that two versions of a flow have in common, or that only one of them has. */
export const DiffPart = Schema.Struct({
  change: Schema.Literals(["same", "added", "removed"]),
  lines: Schema.Array(Schema.String)
})
export type DiffPart = typeof DiffPart.Type

/** The words that fit at a position of a flow: they replace the text from `from` to the position. */
export const OfferedWords = Schema.Struct({
  from: Schema.Int,
  words: Schema.Array(
    Schema.Struct({
      label: Schema.String,
      info: Schema.optionalKey(Schema.String),
      kind: Schema.Literals(["key", "value", "name"])
    })
  )
})
export type OfferedWords = typeof OfferedWords.Type

/** The version under which a draft can be run. */
const Version = Schema.Struct({ id: Schema.String, version: Schema.String })
const refusals = [envelope(Forbidden), envelope(ValidationFailed)] as const

/** The flows of the folder: readable for everybody who is signed in, and editable if the settings allow it. */
export class FlowFilesGroup extends HttpApiGroup.make("flow-files")
  .add(
    HttpApiEndpoint.get("list", "/flows", {
      success: Schema.Struct({ flows: Schema.Array(ListedFlow), canEdit: Schema.Boolean })
    }),
    HttpApiEndpoint.get("get", "/flows/:id", {
      params: { id: Schema.String },
      query: { version: Schema.optional(Schema.String) },
      success: FlowFileView,
      error: missing
    }),
    HttpApiEndpoint.get("diff", "/flows/:id/diff", {
      params: { id: Schema.String },
      query: { from: Schema.String, to: Schema.String },
      success: Schema.Struct({ parts: Schema.Array(DiffPart) }),
      error: missing
    }),
    HttpApiEndpoint.post("complete", "/drafts/complete", {
      payload: Schema.Struct({
        ...Draft.fields,
        position: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxSource }))
      }),
      success: OfferedWords,
      error: envelope(Forbidden)
    }).annotate(BodyLimit, maxDraft),
    HttpApiEndpoint.post("check", "/drafts/check", {
      payload: Draft,
      success: CheckedSource,
      error: envelope(Forbidden)
    }).annotate(BodyLimit, maxDraft),
    HttpApiEndpoint.post("draft", "/drafts", {
      payload: Draft,
      success: Version,
      error: refusals
    }).annotate(BodyLimit, maxDraft),
    HttpApiEndpoint.post("save", "/drafts/save", {
      payload: Draft,
      success: Version.pipe(HttpApiSchema.status(201)),
      error: refusals
    }).annotate(BodyLimit, maxDraft)
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(AdminGate) {}
