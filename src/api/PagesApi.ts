import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ExecutionNotFound, InvalidDocument } from "../domain/Errors.ts"
import { PageSizes, PageText } from "../domain/PageText.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { Contract, Defects, Gate, RequiredScope } from "./Gate.ts"
import { integerBetween } from "./Paging.ts"

const executionId = Schema.String.annotate({ description: "The execution's id, as the run returned it." })

/** The number of a page in a path, and the longest side of its picture. */
export const pageParameter = integerBetween(1, 1_000_000).annotate({
  description: "Number of the page, from 1."
})
export const sideParameter = Schema.optional(integerBetween(64, 3200)).annotate({
  description: "Longest side of the picture, in pixels, 64–3200. Default: 1600."
})

/** The parameter that selects a file of the document. */
export const attachmentParameter = Schema.optional(
  Schema.String.check(
    Schema.isPattern(/^\d{1,4}(?:\.\d{1,4}){0,4}$/u, {
      message: "must be listed in attachments of the pages, such as 0 or 0.1"
    })
  )
).annotate({
  description:
    "A file inside the document, as `attachments` of the list of pages names it. Default: the document itself."
})

/** The bytes of a picture. */
export const Picture = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/webp" }))

/** The pages of an execution's document, for programs that show people where values were found. */
export class PagesApi extends HttpApiGroup.make("pages")
  .add(
    HttpApiEndpoint.get("sizes", "/runs/:executionId/pages", {
      params: { executionId },
      query: { attachment: attachmentParameter },
      success: PageSizes,
      error: [envelope(ExecutionNotFound), envelope(InvalidDocument)]
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the pages of an execution's document",
          description: "Their sizes are known once a `parse` step has read them. Scope: `executions:read`."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("text", "/runs/:executionId/pages/:page", {
      params: { executionId, page: pageParameter },
      query: { attachment: attachmentParameter },
      success: PageText,
      error: [envelope(ExecutionNotFound), envelope(InvalidDocument)]
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read the text of a page",
          description:
            "Lines and words with their bounding boxes, and the places of the fields that were found on the page. " +
            "Scope: `executions:read`."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("picture", "/runs/:executionId/pages/:page/picture", {
      params: { executionId, page: pageParameter },
      query: { side: sideParameter, attachment: attachmentParameter },
      success: Picture,
      error: [envelope(ExecutionNotFound), envelope(InvalidDocument)]
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the picture of a page",
          description:
            "WebP, in colour, turned upright as the page was recognized. Pages of text formats have no picture (422). " +
            "Scope: `executions:read`."
        })
      )
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(Gate)
  .prefix("/api/v1")
  .annotateMerge(OpenApi.annotations({ title: "Pages" })) {}
