import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { ExampleSummary, ExportedExample } from "../domain/ExampleSummary.ts"
import { id, missing, page, summary } from "./AdminParts.ts"
import { BodyLimit } from "./Gate.ts"
import { pageParameters } from "./Paging.ts"

const params = { id }

/** The examples of an organization, and how many there are. */
export const ExampleList = Schema.Struct({ examples: Schema.Array(ExampleSummary), ...page })

/** The endpoints that manage examples learned from corrections. */
export const exampleEndpoints = [
  HttpApiEndpoint.get("listExamples", "/organizations/:id/examples", {
    params,
    query: pageParameters,
    success: ExampleList,
    error: missing
  }).annotateMerge(summary("List what corrections taught, newest first")),
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
