import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Corrections, CorrectionsOutdated, SaveCorrections } from "../domain/Corrections.ts"
import { ExecutionNotFound, InvalidDocument, ValidationFailed } from "../domain/Errors.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { Contract, Defects, Gate, RequiredScope } from "./Gate.ts"

const executionId = Schema.String.annotate({ description: "The execution's id, as the run returned it." })

/** What people corrected of an execution. */
export class CorrectionsApi extends HttpApiGroup.make("corrections")
  .add(
    HttpApiEndpoint.get("get", "/runs/:executionId/corrections", {
      params: { executionId },
      success: Corrections,
      error: [envelope(ExecutionNotFound), envelope(InvalidDocument)]
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read the corrections of an execution",
          description: "Every corrected or accepted value, who saved it and when. Scope: `executions:read`."
        })
      )
  )
  .add(
    HttpApiEndpoint.put("save", "/runs/:executionId/corrections", {
      params: { executionId },
      payload: SaveCorrections,
      success: Corrections,
      error: [
        envelope(ExecutionNotFound),
        envelope(InvalidDocument),
        envelope(ValidationFailed),
        envelope(CorrectionsOutdated, "INVALID_INPUT")
      ]
    })
      .annotate(RequiredScope, "executions:correct")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Correct or accept values of an execution",
          description:
            "Adds to the corrections saved before; the same field again replaces its correction. A string is read as a " +
            "number or date where the flow expects one. 409 if somebody else saved in the meantime. " +
            "Scope: `executions:correct`."
        })
      )
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(Gate)
  .prefix("/api/v1")
  .annotateMerge(OpenApi.annotations({ title: "Corrections" })) {}
