import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { ExampleSummary, ExportedExample } from "../domain/ExampleSummary.ts"
import { id, missing, page, summary } from "./AdminParts.ts"
import { BodyLimit } from "./Gate.ts"
import { pageParameters } from "./Paging.ts"

const params = { id }

/** Which examples: those of the layout of another one, which is one supplier's, and those that a person taught. */
const chosen = {
  like: Schema.optional(id).annotate({ description: "Only examples of the same layout as this one." }),
  by: Schema.optional(Schema.String.check(Schema.isMaxLength(300))).annotate({
    description: "Only what this person or key taught, as `by` of a field names it."
  })
}

/** The examples of an organization, and how many there are. */
export const ExampleList = Schema.Struct({ examples: Schema.Array(ExampleSummary), ...page })

/** The endpoints that manage examples learned from corrections. */
export const exampleEndpoints = [
  HttpApiEndpoint.get("listExamples", "/organizations/:id/examples", {
    params,
    query: { ...pageParameters, ...chosen },
    success: ExampleList,
    error: missing
  }).annotateMerge(summary("List what corrections taught, newest first")),
  HttpApiEndpoint.delete("forgetExamples", "/organizations/:id/examples", {
    params,
    query: chosen,
    success: Schema.Struct({ forgotten: Schema.Int }),
    error: missing
  }).annotateMerge(summary("Forget what was learned: of one supplier, of one person, or everything")),
  HttpApiEndpoint.get("exportExamples", "/organizations/:id/examples/export", {
    params,
    query: pageParameters,
    success: Schema.Struct({ examples: Schema.Array(ExportedExample), ...page }),
    error: missing
  }).annotateMerge(summary("Read examples in full, to import them elsewhere")),
  HttpApiEndpoint.post("importExamples", "/organizations/:id/examples/import", {
    params,
    payload: Schema.Struct({ examples: Schema.Array(ExportedExample).check(Schema.isMaxLength(100)) }),
    success: Schema.Struct({ imported: Schema.Int }),
    error: missing
  })
    .annotate(BodyLimit, 8 * 1024 * 1024)
    .annotateMerge(summary("Import examples; existing ones are skipped")),
  HttpApiEndpoint.put("setExample", "/examples/:id", {
    params,
    payload: Schema.Struct({ enabled: Schema.Boolean }),
    success: ExampleSummary,
    error: missing
  }).annotateMerge(summary("Switch an example on or off")),
  HttpApiEndpoint.delete("deleteExample", "/examples/:id", {
    params,
    success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
    error: missing
  }).annotateMerge(summary("Delete an example"))
] as const
